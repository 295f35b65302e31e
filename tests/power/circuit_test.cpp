#include "model/power/circuit.hpp"

#include <catch2/catch.hpp>

using namespace roofplan::model;

namespace {
Circuit circuit(double volts, double amperes, int phases = 1) {
  Circuit c;
  c.volts = volts;
  c.amperes = amperes;
  c.phases = phases;
  c.continuous_share = 0.8;
  return c;
}
}  // namespace

TEST_CASE("80 % of the usual circuits are 1,440, 1,920, 4,992, 17,293 and 34,502 W", "[power]") {
  CHECK(circuit(120, 15).usable() / unit::W == Approx(1440));
  CHECK(circuit(120, 20).usable() / unit::W == Approx(1920));
  CHECK(circuit(208, 30).usable() / unit::W == Approx(4992));
  CHECK(circuit(208, 60, 3).usable() / unit::W == Approx(17'293).margin(1));
  CHECK(circuit(415, 60, 3).usable() / unit::W == Approx(34'502).margin(1));
  CHECK(circuit(220, 16).usable() / unit::W == Approx(2816));
}

TEST_CASE("a US 15 A circuit bears six boxes of 240 W, a Korean 16 A outlet eleven", "[power]") {
  CHECK(devices_per_circuit(circuit(120, 15), 240 * unit::W) == 6);
  CHECK(devices_per_circuit(circuit(120, 20), 240 * unit::W) == 8);
  CHECK(devices_per_circuit(circuit(220, 16), 240 * unit::W) == 11);
  CHECK(devices_per_circuit(circuit(220, 20), 240 * unit::W) == 14);
}

TEST_CASE("eight shelves of 33 kW leave 132 kW under N+N (field report C7)", "[power]") {
  CHECK(usable_power(8, 33 * unit::kW, Redundancy::n) / unit::kW == Approx(264));
  CHECK(usable_power(8, 33 * unit::kW, Redundancy::n_plus_1) / unit::kW == Approx(231));
  CHECK(usable_power(8, 33 * unit::kW, Redundancy::n_plus_n) / unit::kW == Approx(132));
}
