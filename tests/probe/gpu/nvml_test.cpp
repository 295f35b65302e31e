#include "model/probe/gpu/nvml.hpp"

#include <catch2/catch.hpp>

#include <cstring>

using namespace roofplan::probe;
namespace unit = roofplan::model::unit;

namespace {

/// A driver that knows one device; what it answers is set by the tests.
struct Driver {
  unsigned watts = 300, celsius = 55, mhz = 1400, use = 7;
  unsigned long long reasons = 0, errors = 0;
  unsigned lanes = 16;
} driver;

NvmlFunctions functions() {
  driver = {};
  NvmlFunctions f;
  f.init = [] { return 0; };
  f.by_bus_id = [](const char* bus_id, NvmlHandle*) {
    return std::strcmp(bus_id, "0000:1b:00.0") == 0 ? 0 : 6;
  };
  f.driver_version = [](char* text, unsigned length) {
    std::strncpy(text, "580.1", length);
    return 0;
  };
  f.clock = [](NvmlHandle, unsigned domain, unsigned* mhz) { return *mhz = driver.mhz, domain == 1 ? 0 : 2; };
  f.highest_clock = [](NvmlHandle, unsigned, unsigned* mhz) { return *mhz = 1980, 0; };
  f.temperature = [](NvmlHandle, unsigned, unsigned* celsius) { return *celsius = driver.celsius, 0; };
  f.power = [](NvmlHandle, unsigned* mw) { return *mw = 1000 * driver.watts, 0; };
  f.power_limit = [](NvmlHandle, unsigned* mw) { return *mw = 600'000, 0; };
  f.default_power_limit = [](NvmlHandle, unsigned* mw) { return *mw = 700'000, 0; };
  f.throttle_reasons = [](NvmlHandle, unsigned long long* bits) { return *bits = driver.reasons, 0; };
  f.use = [](NvmlHandle, NvmlUse* use) { return use->gpu = driver.use, 0; };
  f.ecc_errors = [](NvmlHandle, unsigned, unsigned, unsigned long long* n) { return *n = driver.errors, 0; };
  f.link_width = [](NvmlHandle, unsigned* lanes) { return *lanes = driver.lanes, 0; };
  f.highest_link_width = [](NvmlHandle, unsigned* lanes) { return *lanes = 16, 0; };
  return f;
}

}  // namespace

TEST_CASE("the state of a GPU is what its driver tells, in units", "[probe][gpu_logic]") {
  const NvmlFunctions f = functions();
  const auto nvml = Nvml::over(f, "0000:1b:00.0");
  REQUIRE(nvml);
  CHECK(nvml->driver() == "580.1");
  const DeviceState state = nvml->state();
  CHECK(*state.power / unit::W == Approx(300));
  CHECK(*state.power_limit / unit::W == Approx(600));
  CHECK(*state.default_power_limit / unit::W == Approx(700));
  CHECK(*state.clock_mhz == 1400);
  CHECK(*state.rated_clock_mhz == 1980);
  CHECK(*state.temperature_c == 55);
  CHECK(*state.busy == Approx(0.07));
  CHECK(state.throttled.empty());
  CHECK(state.degraded.empty());
}

TEST_CASE("forced slowdowns are told, an idle clock and the power cap are not", "[probe][gpu_logic]") {
  const NvmlFunctions f = functions();
  driver.reasons = 0x1 | 0x4;  // idle, software power cap
  CHECK(Nvml::over(f, "0000:1b:00.0")->state().throttled.empty());
  driver.reasons = 0x8 | 0x40;
  CHECK(Nvml::over(f, "0000:1b:00.0")->state().throttled ==
        std::vector<std::string>{"hw_slowdown", "hw_thermal_slowdown"});
}

TEST_CASE("lasting faults are told: memory errors and a narrow link", "[probe][gpu_logic]") {
  const NvmlFunctions f = functions();
  driver.errors = 3;
  driver.lanes = 8;
  CHECK(Nvml::over(f, "0000:1b:00.0")->state().degraded ==
        std::vector<std::string>{"uncorrected ECC errors: 3", "the PCIe link has 8 of 16 lanes"});
}

TEST_CASE("what an older driver cannot tell is unknown, and another device is not there",
          "[probe][gpu_logic]") {
  NvmlFunctions f = functions();
  f.power = nullptr;
  f.throttle_reasons = nullptr;
  CHECK_FALSE(Nvml::over(f, "0000:1b:00.0")->state().power);
  CHECK_FALSE(Nvml::over(f, "0000:2c:00.0"));
}
