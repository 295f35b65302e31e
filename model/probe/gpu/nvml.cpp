#include "model/probe/gpu/nvml.hpp"

#include <fmt/format.h>

#include <array>

namespace roofplan::probe {
namespace {

constexpr unsigned kMultiprocessorClock = 1, kGpuSensor = 0, kUncorrected = 1, kSinceStart = 0;

struct Reason {
  unsigned long long bit;
  const char* name;
};
/// Those that lower the clock by force. Idle, application clocks and the power cap under load are no faults.
constexpr std::array<Reason, 4> kForced{{{0x8, "hw_slowdown"},
                                         {0x20, "sw_thermal_slowdown"},
                                         {0x40, "hw_thermal_slowdown"},
                                         {0x80, "hw_power_brake"}}};

NvmlFunctions functions_of(const SharedLibrary& library) {
  NvmlFunctions f;
  library.find(f.init, {"nvmlInit_v2"});
  library.find(f.shut_down, {"nvmlShutdown"});
  library.find(f.driver_version, {"nvmlSystemGetDriverVersion"});
  library.find(f.by_bus_id, {"nvmlDeviceGetHandleByPciBusId_v2"});
  library.find(f.clock, {"nvmlDeviceGetClockInfo"});
  library.find(f.highest_clock, {"nvmlDeviceGetMaxClockInfo"});
  library.find(f.temperature, {"nvmlDeviceGetTemperature"});
  library.find(f.power, {"nvmlDeviceGetPowerUsage"});
  library.find(f.power_limit, {"nvmlDeviceGetEnforcedPowerLimit"});
  library.find(f.default_power_limit, {"nvmlDeviceGetPowerManagementDefaultLimit"});
  library.find(f.throttle_reasons,
               {"nvmlDeviceGetCurrentClocksEventReasons", "nvmlDeviceGetCurrentClocksThrottleReasons"});
  library.find(f.use, {"nvmlDeviceGetUtilizationRates"});
  library.find(f.ecc_errors, {"nvmlDeviceGetTotalEccErrors"});
  library.find(f.remapped_rows, {"nvmlDeviceGetRemappedRows"});
  library.find(f.link_width, {"nvmlDeviceGetCurrPcieLinkWidth"});
  library.find(f.highest_link_width, {"nvmlDeviceGetMaxPcieLinkWidth"});
  return f;
}

/// What `function` answers for the arguments before its result; nothing where it cannot.
template <class Function, class... Arguments>
std::optional<unsigned> number(Function* function, Arguments... arguments) {
  unsigned value = 0;
  if (function == nullptr || function(arguments..., &value) != 0) return std::nullopt;
  return value;
}

std::optional<double> as_number(std::optional<unsigned> value) {
  return value ? std::optional<double>(*value) : std::nullopt;
}
std::optional<model::Watts> as_watts(std::optional<unsigned> milliwatt) {
  return milliwatt ? std::optional(1e-3 * *milliwatt * model::unit::W) : std::nullopt;
}

std::vector<std::string> faults(const NvmlFunctions& f, NvmlHandle device) {
  std::vector<std::string> out;
  unsigned long long errors = 0;
  if (f.ecc_errors != nullptr && f.ecc_errors(device, kUncorrected, kSinceStart, &errors) == 0 && errors > 0)
    out.push_back(fmt::format("uncorrected ECC errors: {}", errors));
  unsigned corrected = 0, uncorrected = 0, pending = 0, failed = 0;
  if (f.remapped_rows != nullptr &&
      f.remapped_rows(device, &corrected, &uncorrected, &pending, &failed) == 0) {
    if (failed > 0) out.emplace_back("a row of the memory could not be remapped");
    if (pending > 0) out.emplace_back("a remapped row of the memory waits for a reset");
  }
  unsigned lanes = 0, most = 0;
  if (f.link_width != nullptr && f.highest_link_width != nullptr && f.link_width(device, &lanes) == 0 &&
      f.highest_link_width(device, &most) == 0 && lanes < most)
    out.push_back(fmt::format("the PCIe link has {} of {} lanes", lanes, most));
  return out;
}

}  // namespace

std::optional<Nvml> Nvml::over(const NvmlFunctions& functions, const std::string& bus_id) {
  Nvml out;
  out.f_ = functions;
  if (functions.init == nullptr || functions.by_bus_id == nullptr || functions.init() != 0)
    return std::nullopt;
  if (functions.by_bus_id(bus_id.c_str(), &out.device_) != 0) return std::nullopt;
  return out;
}

std::optional<Nvml> Nvml::open(const std::string& bus_id) {
  const SharedLibrary library({"libnvidia-ml.so.1"});
  if (!library.opened()) return std::nullopt;
  std::optional<Nvml> out = over(functions_of(library), bus_id);
  if (out) out->library_ = library;
  return out;
}

std::string Nvml::driver() const {
  std::array<char, 96> text{};
  if (f_.driver_version == nullptr ||
      f_.driver_version(text.data(), static_cast<unsigned>(text.size() - 1)) != 0)
    return {};
  return text.data();
}

DeviceState Nvml::state() const {
  DeviceState out;
  if (f_.use != nullptr) {
    if (NvmlUse use; f_.use(device_, &use) == 0) out.busy = use.gpu / 100.0;
  }
  out.clock_mhz = as_number(number(f_.clock, device_, kMultiprocessorClock));
  out.rated_clock_mhz = as_number(number(f_.highest_clock, device_, kMultiprocessorClock));
  out.temperature_c = as_number(number(f_.temperature, device_, kGpuSensor));
  out.power = as_watts(number(f_.power, device_));
  out.power_limit = as_watts(number(f_.power_limit, device_));
  out.default_power_limit = as_watts(number(f_.default_power_limit, device_));
  unsigned long long bits = 0;
  if (f_.throttle_reasons != nullptr && f_.throttle_reasons(device_, &bits) == 0) {
    for (const Reason& reason : kForced) {
      if ((bits & reason.bit) != 0) out.throttled.emplace_back(reason.name);
    }
  }
  out.degraded = faults(f_, device_);
  return out;
}

}  // namespace roofplan::probe
