#include "model/report/sweep_merge.hpp"

#include "model/units/error.hpp"

#include <catch2/catch.hpp>

using namespace roofplan::model;
using namespace roofplan::model::report;
using Catch::Contains;

namespace {
std::string row(int point, const std::string& sweep = "ab", int points = 3) {
  return "{\"sweep\":\"" + sweep + "\",\"points\":" + std::to_string(points) +
         ",\"point\":" + std::to_string(point) + ",\"x\":1.50}\n";
}
}  // namespace

TEST_CASE("shards join in order, byte for byte", "[report]") {
  const MergedSweep merged = merge_sweeps({{"b", row(1) + row(2)}, {"empty", ""}, {"a", row(0)}});
  CHECK(merged.text == row(0) + row(1) + row(2));
  CHECK(merged.points == 3);
  const std::string head = "sweep,points,point,x\r\n";
  CHECK(merge_sweeps({{"b", head + "ab,2,1,\"a,b\"\r\n"}, {"a", head + "ab,2,0,1\r\n"}}).text ==
        head + "ab,2,0,1\r\nab,2,1,\"a,b\"\r\n");
}

TEST_CASE("what is missing, doubled, foreign or torn is named with its place", "[report]") {
  CHECK_THROWS_WITH(merge_sweeps({{"a", row(1)}}), Contains("points 0, 2 of 3 are missing"));
  CHECK_THROWS_WITH(merge_sweeps({{"a", row(0) + row(1)}, {"b", row(1) + row(2)}}),
                    Contains("b:line 1") && Contains("point 1 stands in a too, line 2"));
  CHECK_THROWS_WITH(merge_sweeps({{"a", row(0)}, {"b", row(1, "cd")}}),
                    Contains("b:line 1") && Contains("cd"));
  CHECK_THROWS_WITH(merge_sweeps({{"a", row(0) + row(1).substr(0, 20)}}), Contains("a:line 2"));
  CHECK_THROWS_WITH(merge_sweeps({{"a", row(3)}}), Contains("0 to 2"));
  CHECK_THROWS_WITH(merge_sweeps({{"a", "{\"x\": 1}\n"}}), Contains("\"sweep\""));
  CHECK_THROWS_WITH(merge_sweeps({{"a", row(0)}, {"b", "sweep,points,point\r\nab,3,1\r\n"}}),
                    Contains("some files are CSV"));
  CHECK_THROWS_AS(merge_sweeps({{"a", ""}}), InputError);
}
