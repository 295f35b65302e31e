#include "model/report/value.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <limits>
#include <stdexcept>

using namespace roofplan::model;
using report::Value;

TEST_CASE("a result that is no finite number is refused where it arises", "[report]") {
  CHECK_THROWS_AS(Value(std::nan("")), std::domain_error);
  CHECK_THROWS_AS(Value(std::numeric_limits<double>::infinity()), std::domain_error);
}

TEST_CASE("a key stands once in a result", "[report]") {
  Value object = Value::object();
  object.add("a", 1);
  CHECK_THROWS_AS(object.add("a", 2), std::logic_error);
  CHECK_THROWS_AS(object.push(1), std::logic_error);
}

TEST_CASE("values are found by a path with dots", "[report]") {
  const Value result = Value::object().add("per_device", Value::object().add("kv_bytes", 7));
  REQUIRE(result.find("per_device.kv_bytes") != nullptr);
  CHECK(std::get<std::int64_t>(result.find("per_device.kv_bytes")->content()) == 7);
  CHECK(result.find("per_device.kv") == nullptr);
  CHECK(result.find("") == &result);
}

TEST_CASE("a range adds its two ends behind the value", "[report]") {
  Value object = Value::object();
  object.add_range("step_s", 2.0, 1.5, 3.0);
  REQUIRE(object.members().size() == 3);
  CHECK(object.members()[1].key == "step_s_low");
  CHECK(object.members()[2].key == "step_s_high");
}
