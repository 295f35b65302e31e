#include "model/report/comparison.hpp"

#include "model/report/calibration_drift.hpp"

#include <catch2/catch.hpp>

using namespace roofplan::model;
using namespace roofplan::model::report;

namespace {
std::vector<Difference> between(const char* a, const char* b, double tolerance = 1e-9) {
  return differences(value_of_json(a, "a"), value_of_json(b, "b"), tolerance);
}

/// What compare tells of a rate that was 100 and is `later`, each known to `deviation`.
std::size_t drifts(double later, double deviation) {
  const auto measured = [&](double rate) {
    Calibration c;
    c.fit = {{.law = "machine/stream", .values = {{"memory_rate", rate, "GB/s", deviation}}}};
    return c;
  };
  const Calibration before = measured(100), after = measured(later);
  return differences(drift_view(before), drift_view(after, &before), 1e-9).size();
}
}  // namespace

TEST_CASE("equal documents have no differences, nor have numbers within the tolerance", "[report]") {
  CHECK(between(R"({"x":[1,{"y":2}],"s":"t"})", R"({"x":[1,{"y":2}],"s":"t"})").empty());
  CHECK(between(R"({"x":1})", R"({"x":1.0000000001})").empty());
  CHECK(between(R"({"x":100})", R"({"x":99})", 0.01).empty());
  CHECK(between(R"({"x":100})", R"({"x":98.9})", 0.01).size() == 1);
  CHECK(between(R"({"x":0})", R"({"x":0.0})").empty());
}

TEST_CASE("a change of numbers is told against the first: 8 to 10 is a quarter more", "[report]") {
  const auto found = between(R"({"p":{"x":8}})", R"({"p":{"x":10}})");
  REQUIRE(found.size() == 1);
  CHECK(found[0].path == "p.x");
  CHECK(*found[0].relative == Approx(0.25));
  CHECK_FALSE(between(R"({"x":0})", R"({"x":1})")[0].relative);
}

TEST_CASE("elements of lists are matched by name, whatever their order", "[report]") {
  CHECK(between(R"({"l":[{"name":"a","v":1},{"name":"b","v":2}]})",
                R"({"l":[{"name":"b","v":2},{"name":"a","v":1}]})")
            .empty());
  const auto found = between(R"({"l":[{"name":"a","v":1},{"name":"b","v":2}]})",
                             R"({"l":[{"name":"b","v":3},{"name":"c","v":4}]})");
  REQUIRE(found.size() == 5);  // a: name and v gone; b: v changed; c: name and v new
  CHECK(found[0].path == "l[a].name");
  CHECK_FALSE(found[0].in_b);
  CHECK(found[2].path == "l[b].v");
  CHECK(found[4].path == "l[c].v");
  CHECK_FALSE(found[4].in_a);
}

TEST_CASE("lists without names go by place, and one that grew has more", "[report]") {
  const auto found = between(R"({"l":[1,2]})", R"({"l":[1,3,4]})");
  REQUIRE(found.size() == 2);
  CHECK(found[0].path == "l[1]");
  CHECK(found[1].path == "l[2]");
}

TEST_CASE("a null and a missing key are alike; a value that takes a null's place is a change", "[report]") {
  CHECK(between(R"({"x":null})", R"({})").empty());
  CHECK(between(R"({"x":null})", R"({"x":1})").size() == 1);
  CHECK(between(R"({"x":{"y":1}})", R"({"x":2})").size() == 2);
}

TEST_CASE("the program that wrote a document is no difference", "[report]") {
  const Value document = value_of_json(R"({"schema":"s","tool":{"version":"1"},"result":{"x":1}})", "d");
  CHECK(comparable(document).members().size() == 1);
}

TEST_CASE("a calibrated rate has drifted beyond twice the noise of both runs, and beyond 2 %", "[report]") {
  // Twice the root of 0.03^2 + 0.03^2 is 0.0849: e^0.0849 = 1.0886.
  CHECK(drifts(108.8, 0.03) == 0);
  CHECK(drifts(108.9, 0.03) == 1);
  // e^0.02 = 1.0202, where the fits leave no noise.
  CHECK(drifts(102.01, 0) == 0);
  CHECK(drifts(102.03, 0) == 1);
}
