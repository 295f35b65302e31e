#include "model/power/device_energy.hpp"

#include <catch2/catch.hpp>

using namespace roofplan::model;

TEST_CASE("a device draws its idle power and the energy of its bytes and FLOP", "[power]") {
  const DeviceEnergy energy{60 * unit::W, 50e-12 * unit::J / unit::B, 0.8e-12 * unit::J / unit::flop, 0};
  // 2 TB/s at 50 pJ a byte are 100 W, 500 TFLOP/s at 0.8 pJ are 400 W.
  CHECK(device_power(energy, 2 * unit::TB_s, 500 * unit::TFLOP_s) / unit::W == Approx(560));
  CHECK(device_power(energy, {}, {}) / unit::W == Approx(60));
}
