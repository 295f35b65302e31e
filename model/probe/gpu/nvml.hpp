#pragma once

#include "model/probe/device.hpp"
#include "model/probe/gpu/shared_library.hpp"

#include <optional>
#include <string>

namespace roofplan::probe {

using NvmlHandle = struct NvmlHandleTag*;
struct NvmlUse {
  unsigned gpu = 0, memory = 0;  ///< per cent of the time
};

/// The functions that are used of NVIDIA's management library, which comes with the driver and whose header
/// is not in the toolkit. Each returns 0 when it did what it should. nullptr: the driver has none.
/// Source: NVIDIA, NVML API Reference Guide, "Device Queries".
struct NvmlFunctions {
  int (*init)() = nullptr;
  int (*shut_down)() = nullptr;
  int (*driver_version)(char* text, unsigned length) = nullptr;
  int (*by_bus_id)(const char* bus_id, NvmlHandle*) = nullptr;
  int (*clock)(NvmlHandle, unsigned domain, unsigned* mhz) = nullptr;
  int (*highest_clock)(NvmlHandle, unsigned domain, unsigned* mhz) = nullptr;
  int (*temperature)(NvmlHandle, unsigned sensor, unsigned* celsius) = nullptr;
  int (*power)(NvmlHandle, unsigned* milliwatt) = nullptr;
  int (*power_limit)(NvmlHandle, unsigned* milliwatt) = nullptr;
  int (*default_power_limit)(NvmlHandle, unsigned* milliwatt) = nullptr;
  int (*throttle_reasons)(NvmlHandle, unsigned long long* bits) = nullptr;
  int (*use)(NvmlHandle, NvmlUse*) = nullptr;
  int (*ecc_errors)(NvmlHandle, unsigned type, unsigned counter, unsigned long long* count) = nullptr;
  int (*remapped_rows)(NvmlHandle, unsigned* corrected, unsigned* uncorrected, unsigned* pending,
                       unsigned* failed) = nullptr;
  int (*link_width)(NvmlHandle, unsigned* lanes) = nullptr;
  int (*highest_link_width)(NvmlHandle, unsigned* lanes) = nullptr;
};

/// One GPU as its driver sees it: clocks, power, temperature, faults.
class Nvml {
 public:
  /// The library of the driver; nothing where it is not there or knows no device at the PCI bus id
  /// ("0000:1b:00.0").
  static std::optional<Nvml> open(const std::string& bus_id);
  /// The same over given functions, which outlive it.
  static std::optional<Nvml> over(const NvmlFunctions& functions, const std::string& bus_id);

  std::string driver() const;
  /// Everything but the free memory. The clock is that of the multiprocessors at this moment: low when idle.
  DeviceState state() const;

 private:
  std::optional<SharedLibrary> library_;
  NvmlFunctions f_;
  NvmlHandle device_ = nullptr;
};

}  // namespace roofplan::probe
