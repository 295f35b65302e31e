#include "model/units/unit_text.hpp"

#include <catch2/catch.hpp>

using namespace roofplan::model;

TEST_CASE("GB and GiB are different things", "[units]") {
  CHECK(parse_quantity<Bytes>("2GB") / unit::B == 2e9);
  CHECK(parse_quantity<Bytes>("2 GiB") / unit::B == 2147483648.0);
}

TEST_CASE("a bare prefix is refused with both readings offered", "[units]") {
  CHECK_THROWS_WITH(parse_quantity<Bytes>("2G"), Catch::Contains("GB") && Catch::Contains("GiB"));
}

TEST_CASE("bits and bytes per second are told apart", "[units]") {
  CHECK(parse_quantity<BytesPerSecond>("200 Gb/s") / unit::GB_s == Approx(25));
  CHECK(parse_quantity<BytesPerSecond>("200 GB/s") / unit::GB_s == Approx(200));
}

TEST_CASE("rates of arithmetic read in all the usual spellings", "[units]") {
  CHECK(parse_quantity<FlopPerSecond>("2250 TFLOPS") / unit::PFLOP_s == Approx(2.25));
  CHECK(parse_quantity<FlopPerSecond>("2.25 PFLOP/s") / unit::PFLOP_s == Approx(2.25));
  CHECK(parse_quantity<FlopPerSecond>("165 TOPS") / unit::TFLOP_s == Approx(165));
}

TEST_CASE("power, energy, time and flow read with their units", "[units]") {
  CHECK(parse_quantity<Watts>("40 kW") / unit::W == Approx(40'000));
  CHECK(parse_quantity<Joules>("1 kWh") / unit::J == Approx(3.6e6));
  CHECK(parse_quantity<Seconds>("1.5ms") / unit::us == Approx(1500));
  CHECK(parse_quantity<LitresPerSecond>("60 L/min") / unit::L_min == Approx(60));
}

TEST_CASE("a unit of another dimension is refused", "[units]") {
  CHECK_THROWS_WITH(parse_quantity<Bytes>("2 GB/s"), Catch::Contains("something else"));
  CHECK_THROWS_AS(parse_quantity<Watts>("3 parsec"), InputError);
  CHECK_THROWS_WITH(parse_quantity<Watts>("3"), Catch::Contains("no unit"));
  CHECK_THROWS_AS(parse_quantity<Watts>("nan W"), InputError);
  CHECK_THROWS_AS(parse_quantity<Watts>(""), InputError);
}

TEST_CASE("counts are whole, and k is refused as ambiguous", "[units]") {
  CHECK(parse_count("131072") == 131072);
  CHECK(parse_count("131,072") == 131072);
  CHECK(parse_count("128Ki") == 131072);
  CHECK_THROWS_WITH(parse_count("128k"), Catch::Contains("131072"));
  CHECK_THROWS_AS(parse_count("-1"), InputError);
  CHECK_THROWS_AS(parse_count("1.5"), InputError);
  CHECK_THROWS_AS(parse_count("99999999999999999999"), InputError);
}

TEST_CASE("quantities print with their units", "[units]") {
  CHECK(to_text(ByteCount(127'601'452LL * 1024)) == "121.7 GiB");
  CHECK(to_text(273 * unit::GB_s) == "273 GB/s");
  CHECK(to_text(14.5 * unit::kW) == "14.5 kW");
  CHECK(to_text(1.25 * unit::ms) == "1.25 ms");
  CHECK(to_text(2.25 * unit::PFLOP_s) == "2.25 PFLOP/s");
  CHECK(grouped(70272) == "70,272");
  CHECK(grouped(-1234567) == "-1,234,567");
}
