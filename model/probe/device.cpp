#include "model/probe/device.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <ctime>

namespace roofplan::probe {
namespace {

constexpr double kBusy = 0.1;      // of the device, used by others
constexpr double kLowClock = 0.9;  // of the rated clock, under load
constexpr double kLowPowerLimit = 0.98;

void add_state(const DeviceState& state, const char* when, std::vector<std::string>& out) {
  if (state.busy && *state.busy > kBusy) {
    out.push_back(
        fmt::format("{:.0f} % of the device was used by others {} the run", 100 * *state.busy, when));
  }
  for (const std::string& reason : state.throttled)
    out.push_back(fmt::format("the device was throttled {} the run: {}", when, reason));
}

}  // namespace

std::string fingerprint(const DeviceIdentity& identity) {
  const std::string text = fmt::format("{}|{}|{}|{}|{}", identity.kind, identity.name, identity.unique,
                                       identity.units, identity.memory.count());
  std::uint64_t hash = 14695981039346656037ULL;
  for (const char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 1099511628211ULL;
  }
  return fmt::format("{:016x}", hash);
}

std::vector<std::string> complaints(const DeviceState& before, const DeviceState& after) {
  std::vector<std::string> out;
  add_state(before, "before", out);
  add_state(after, "after", out);
  for (const std::string& fault : after.degraded) out.push_back("the device is degraded: " + fault);
  if (after.clock_mhz && after.rated_clock_mhz && *after.clock_mhz < kLowClock * *after.rated_clock_mhz) {
    out.push_back(
        fmt::format("the clock ended at {:.0f} of {:.0f} MHz", *after.clock_mhz, *after.rated_clock_mhz));
  }
  if (after.power_limit && after.default_power_limit &&
      *after.power_limit < kLowPowerLimit * *after.default_power_limit) {
    out.push_back(fmt::format("the power limit is {:.0f} W of the default {:.0f} W",
                              *after.power_limit / model::unit::W,
                              *after.default_power_limit / model::unit::W));
  }
  return out;
}

model::CalibratedDevice calibrated_device(const DeviceIdentity& identity) {
  model::CalibratedDevice out;
  out.system = "this";
  out.name = identity.name;
  out.kind = identity.kind;
  out.accelerators = std::max(1, identity.accelerators);
  out.driver = identity.driver;
  out.software = identity.software;
  out.compute_capability = identity.compute_capability;
  out.fingerprint = fingerprint(identity);
  out.units = identity.units;
  out.unified_memory = identity.unified_memory;
  out.memory = identity.memory;
  out.cache = identity.cache;
  const std::time_t now = std::time(nullptr);
  out.date = fmt::format("{:%Y-%m-%d}", fmt::gmtime(now));
  return out;
}

}  // namespace roofplan::probe
