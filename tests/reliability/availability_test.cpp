#include "model/reliability/availability.hpp"

#include <catch2/catch.hpp>

#include <cmath>

using namespace roofplan::model;

namespace {

PerSecond per_day(double rate) {
  return rate / (86400.0 * unit::s);
}

}  // namespace

TEST_CASE("a node that fails 6.5e-3 times a day works 0.998918 of the time repaired in 4 h, 0.987167 in 48 h",
          "[reliability]") {
  CHECK(availability(per_day(6.5e-3), 4.0 * unit::hour) == Approx(0.998918).epsilon(1e-6));
  CHECK(availability(per_day(6.5e-3), 48.0 * unit::hour) == Approx(0.987167).epsilon(1e-6));
  CHECK(availability(per_day(0), 48.0 * unit::hour) == 1.0);
}

TEST_CASE("parts in series and k of n work as often as the binomial says", "[reliability]") {
  CHECK(at_least(2048, 2048, 0.999) == Approx(0.128861).epsilon(1e-5));
  CHECK(at_least(18, 18, 0.99) == Approx(0.834514).epsilon(1e-6));
  CHECK(at_least(16, 18, 0.99) == Approx(0.999271).epsilon(1e-6));
  CHECK(at_least(4, 5, 0.99) == Approx(0.999020).epsilon(1e-6));
  CHECK(at_least(5, 6, 0.999) == Approx(0.999985).epsilon(1e-6));
  CHECK(at_least(0, 3, 0.5) == 1.0);
  CHECK(at_least(4, 3, 0.5) == 0.0);
}

TEST_CASE("18 trays of four accelerators at 4.736e-4 a day, repaired in two days", "[reliability]") {
  const double tray = availability(per_day(4 * 4.736e-4), 48.0 * unit::hour);
  CHECK(tray == Approx(0.996226).epsilon(1e-6));
  CHECK(at_least(18, 18, tray) == Approx(0.934196).epsilon(1e-5));
  CHECK(at_least(17, 18, tray) == Approx(0.997906).epsilon(1e-5));
  CHECK(at_least(16, 18, tray) == Approx(0.999958).epsilon(1e-6));
}

TEST_CASE("thousands of parts whose joint probability no double can hold are summed all the same",
          "[reliability]") {
  // 0.99^100,000 is 1e-437; of 100,000 parts 1,000 are down on average, and half the time no more.
  CHECK(at_least(99'000, 100'000, 0.99) == Approx(0.5).margin(0.02));
  CHECK(at_least(98'000, 100'000, 0.99) == Approx(1.0));
}

TEST_CASE("the spares for a target are the fewest that reach it", "[reliability]") {
  for (const double target : {0.9, 0.99, 0.999, 0.99999}) {
    const RedundantService service{32, 1, 0.9936};
    const auto spares = least_spares(service, target);
    REQUIRE(spares);
    CHECK(service.with_spares(*spares) >= target);
    if (*spares > 0) CHECK(service.with_spares(*spares - 1) < target);
  }
}

TEST_CASE("128 nodes at 6.5e-3 a day, repaired in three days, need 5, 7 and 9 spares for 95, 99 and 99.9 %",
          "[reliability]") {
  // Published arithmetic takes repairs as Poisson with mean 128 x 6.5e-3 x 3 = 2.496; the binomial over nodes
  // and spares agrees to one spare.
  const RedundantService service{128, 1, availability(per_day(6.5e-3), 72.0 * unit::hour)};
  CHECK(std::abs(*least_spares(service, 0.95) - 5) <= 1);
  CHECK(std::abs(*least_spares(service, 0.99) - 7) <= 1);
  CHECK(std::abs(*least_spares(service, 0.999) - 9) <= 1);
}

TEST_CASE("a rack as spare stands in for as many blocks as it holds", "[reliability]") {
  // Two racks of nine blocks, each block 0.99: without a spare 0.99^18; a third rack lets nine fail.
  const RedundantService service{2, 9, 0.99};
  CHECK(service.with_spares(0) == Approx(std::pow(0.99, 18)));
  CHECK(service.with_spares(1) == Approx(at_least(18, 27, 0.99)));
  CHECK(*least_spares(service, 0.99999) == 1);
}

TEST_CASE("parts that never work reach no target", "[reliability]") {
  CHECK_FALSE(least_spares({2, 1, 0.0}, 0.9));
  CHECK(*least_spares({2, 1, 1.0}, 0.999999) == 0);
}
