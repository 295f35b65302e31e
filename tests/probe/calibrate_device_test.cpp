#include "model/probe/calibrate_device.hpp"

#include "model/probe/fit_machine.hpp"
#include "tests/probe/synthetic_device.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

using namespace roofplan;
using probe::DeviceRun;
using test::SyntheticDevice;

namespace {

DeviceRun calibrated(SyntheticDevice& device, probe::Interrupted interrupted = {}) {
  probe::RunOptions options = device.options();
  options.now = device.clock();
  options.interrupted = std::move(interrupted);
  const model::Catalog catalog;
  return probe::calibrate_device(device, options, catalog);
}

/// Whether the fitted value is the known one within three of the deviations that the fit states; two per cent
/// are always allowed, since noise of executions is not all that the fit sees.
bool recovers(const model::Calibration& calibration, const char* law, const char* name, double known) {
  for (const model::CalibratedValue& v : calibration.at(law).values) {
    if (v.name != name) continue;
    INFO(law << " " << name << ": " << v.value << " +- " << v.relative_std << " for " << known);
    CHECK(v.determined);
    return std::abs(std::log(v.value / known)) <= std::max(3 * v.relative_std, 0.02);
  }
  return false;
}

}  // namespace

TEST_CASE("a synthetic device's laws are recovered within the stated error", "[probe]") {
  SyntheticDevice device;
  const model::Calibration c = calibrated(device).calibration;
  CHECK(recovers(c, "machine/product/fp32", "launch", 20));
  CHECK(recovers(c, "machine/product/fp32", "rate", 40));
  CHECK(recovers(c, "machine/product/fp32", "compute_rate", 0.2));
  CHECK(c.at("machine/product/fp32").choice("overlap") == "none");
  CHECK(recovers(c, "machine/attention/fp32", "rate", 30));
  CHECK(recovers(c, "machine/attention/fp32", "compute_rate", 0.1));
  CHECK(c.at("machine/attention/fp32").choice("overlap") == "full");
  CHECK(recovers(c, "machine/stream", "memory_rate", 45));
  CHECK(recovers(c, "machine/stream", "cache_rate", 160));
  CHECK(recovers(c, "machine/stream", "cache", 16));
  CHECK(recovers(c, "machine/elementwise", "rate", 12));
}

TEST_CASE("a replay on a device that obeys its laws is predicted within the noise", "[probe]") {
  SyntheticDevice device;
  const model::Calibration c = calibrated(device).calibration;
  REQUIRE(c.replay.size() == 2);
  for (const model::ReplayResult& r : c.replay)
    CHECK(r.predicted_s / r.measured_s == Approx(1).epsilon(0.03));
  // A replay is no point of a law.
  CHECK(std::none_of(c.probes.begin(), c.probes.end(), [](const auto& p) { return p.name == "replay"; }));
}

TEST_CASE("wrong products leave the machine without a law for them, said", "[probe]") {
  SyntheticDevice device;
  device.broken_products = true;
  const model::Calibration c = calibrated(device).calibration;
  CHECK(c.find("machine/product/fp32") == nullptr);
  CHECK(c.find("machine/attention/fp32") != nullptr);
  CHECK(c.replay.empty());
  CHECK(std::count_if(c.notes.begin(), c.notes.end(), [](const std::string& note) {
          return note.find("wrong result") != std::string::npos;
        }) == 16);
}

TEST_CASE("an interrupt before the first probe leaves nothing, a later one what was measured", "[probe]") {
  SyntheticDevice at_once, later;
  const DeviceRun none = calibrated(at_once, [] { return true; });
  CHECK(none.interrupted);
  CHECK(none.calibration.probes.empty());
  CHECK(none.calibration.fit.empty());
  int asked = 0;
  const DeviceRun some = calibrated(later, [&] { return ++asked > 300; });
  CHECK(some.interrupted);
  CHECK_FALSE(some.calibration.probes.empty());
}

TEST_CASE("a busy machine is named in the notes", "[probe]") {
  SyntheticDevice device;
  device.now.busy = 0.5;
  const model::Calibration c = calibrated(device).calibration;
  CHECK(std::any_of(c.notes.begin(), c.notes.end(), [](const std::string& note) {
    return note == "50 % of the device was used by others before the run";
  }));
}
