#include "model/sizing/sweep_grid.hpp"

#include <catch2/catch.hpp>

using namespace roofplan::model;
using Values = std::vector<std::string>;

namespace {

Values values_of(const char* text) {
  const SweepAxis axis = parse_axis(text);
  Values out;
  for (std::int64_t i = 0; i < axis.values.size(); ++i) out.push_back(axis.values.at(i));
  return out;
}

}  // namespace

TEST_CASE("values are words, steps and multiples", "[sizing]") {
  CHECK(values_of("load.concurrency=1,2,4") == Values{"1", "2", "4"});
  CHECK(values_of("load.concurrency=1-8+1") == Values{"1", "2", "3", "4", "5", "6", "7", "8"});
  CHECK(values_of("load.concurrency=1-64*2") == Values{"1", "2", "4", "8", "16", "32", "64"});
  CHECK(values_of("load.concurrency=1-10+4,64") == Values{"1", "5", "9", "64"});
  CHECK(values_of("load.concurrency=3-3+1") == Values{"3"});
}

TEST_CASE("steps of a tenth reach their end and do not pile up rounding", "[sizing]") {
  const Values values = values_of("load.prefix_hit=0-1+0.1");
  REQUIRE(values.size() == 11);
  CHECK(values[3] == "0.3");
  CHECK(values.back() == "1");
}

TEST_CASE("names with dashes and digits are names", "[sizing]") {
  CHECK(values_of("system.ref=dgx-h100,gb10") == Values{"dgx-h100", "gb10"});
  CHECK(values_of("model.ref=llama-3.1-70b") == Values{"llama-3.1-70b"});
}

TEST_CASE("a range of a million values is checked by its first two and its last", "[sizing]") {
  const SweepValues values("1-1000000+1,5,2-9*2");
  CHECK(values.size() == 1'000'004);
  CHECK(values.at(999'999) == "1000000");
  CHECK(values.at(1'000'000) == "5");
  CHECK(values.at(1'000'003) == "8");
  const std::vector<std::int64_t> telling{0, 1, 999'999, 1'000'000, 1'000'001, 1'000'002, 1'000'003};
  CHECK(values.telling() == telling);
  CHECK_THROWS_WITH(SweepGrid({}, {parse_axis("load.concurrency=1-1000000+1.5")}), Catch::Contains("2.5"));
  CHECK_THROWS_WITH(SweepGrid({}, {parse_axis("system.power_cap=0.5-1.2+0.1")}), Catch::Contains("1.2"));
  CHECK_THROWS_WITH(SweepGrid({}, {parse_axis("load.concurrency=4-100*1.5")}), Catch::Contains("13.5"));
}

TEST_CASE("ranges that never end or hold nothing are refused, and fields that are not", "[sizing]") {
  for (const char* bad : {"load.concurrency=8-1+1", "load.concurrency=1-8+0", "load.concurrency=1-8*1",
                          "load.concurrency=0-8*2", "load.concurrency=1,,2",
                          "load.concurrency=", "load.concurrency", "load.concurrency=1-1000000000+1"}) {
    CAPTURE(bad);
    CHECK_THROWS_AS(parse_axis(bad), InputError);
  }
  CHECK_THROWS_WITH(parse_axis("load.concurency=1"), Catch::Contains("load.concurrency"));
}

TEST_CASE("the last axis runs fastest, and every point is one combination", "[sizing]") {
  const SweepGrid grid({}, {parse_axis("system.count=1,2"), parse_axis("load.concurrency=1,2,4")});
  REQUIRE(grid.points() == 6);
  CHECK(grid.values(0) == Values{"1", "1"});
  CHECK(grid.values(4) == Values{"2", "2"});
  const Scenario last = grid.scenario(grid.values(5));
  CHECK(last.system.count == 2);
  CHECK(last.load.concurrency == 4);
}

TEST_CASE("a grid refuses a value that its field does not take, and a field twice", "[sizing]") {
  CHECK_THROWS_WITH(SweepGrid({}, {parse_axis("system.count=1,0")}), Catch::Contains("system.count"));
  CHECK_THROWS_WITH(SweepGrid({}, {parse_axis("system.count=1"), parse_axis("system.count=2")}),
                    Catch::Contains("twice"));
  const SweepAxis many = parse_axis("load.concurrency=1-100000+1");
  CHECK_THROWS_AS(SweepGrid({}, {many, parse_axis("load.prompt_tokens=1-100000+1")}), InputError);
}

TEST_CASE("shards are consecutive, differ by one point at most and cover all (field report X5)", "[sizing]") {
  for (const std::int64_t points : {0, 1, 7, 100}) {
    std::int64_t next = 0;
    for (std::int64_t i = 1; i <= 8; ++i) {
      const SweepShard shard{i, 8};
      CHECK(shard.first(points) == next);
      next = shard.end(points);
      CHECK(next - shard.first(points) <= points / 8 + 1);
    }
    CHECK(next == points);
  }
  CHECK(parse_shard("2/8").index == 2);
  for (const char* bad : {"0/8", "9/8", "1", "1/", "a/b", "1/0", "-1/2"})
    CHECK_THROWS_AS(parse_shard(bad), InputError);
}

TEST_CASE("the identity of a grid changes with anything that changes a row", "[sizing]") {
  const SweepGrid one({}, {parse_axis("system.count=1,2")});
  Scenario other;
  other.load.prompt_tokens = 5;
  CHECK(one.identity("speed") == SweepGrid({}, {parse_axis("system.count=1-2+1")}).identity("speed"));
  CHECK(one.identity("speed") != one.identity("fit"));
  CHECK(one.identity("speed") != SweepGrid(other, {parse_axis("system.count=1,2")}).identity("speed"));
  CHECK(one.identity("speed") != SweepGrid({}, {parse_axis("system.count=12")}).identity("speed"));
}
