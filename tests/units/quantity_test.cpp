#include "model/units/quantity.hpp"

#include <catch2/catch.hpp>

#include <type_traits>

using namespace roofplan::model;

namespace {
template <class A, class B>
concept Addable = requires(A a, B b) {
  a + b;
};
}  // namespace

TEST_CASE("bytes and bytes per second do not add", "[units]") {
  STATIC_REQUIRE(Addable<Bytes, Bytes>);
  STATIC_REQUIRE_FALSE(Addable<Bytes, BytesPerSecond>);
  STATIC_REQUIRE_FALSE(Addable<Bytes, double>);
  STATIC_REQUIRE_FALSE(std::is_convertible_v<double, Seconds>);
}

TEST_CASE("dividing a size by a rate gives a time", "[units]") {
  const auto t = 273.0 * unit::GB / (273 * unit::GB_s);
  STATIC_REQUIRE(std::is_same_v<decltype(t), const Seconds>);
  CHECK(t / unit::s == Approx(1.0));
}

TEST_CASE("a ratio of like quantities is a plain number", "[units]") {
  const double ratio = unit::GiB / unit::GB;
  CHECK(ratio == Approx(1.073741824));
}

TEST_CASE("a kilowatt for an hour is a kilowatt-hour", "[units]") {
  CHECK((unit::kW * unit::hour) / unit::kWh == Approx(1.0));
}

TEST_CASE("200 Gb/s are 25 GB/s (field report S7)", "[units]") {
  CHECK(200 * unit::Gb_s / unit::GB_s == Approx(25.0));
}
