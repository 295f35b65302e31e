#pragma once

#include "model/calibration/calibration_file.hpp"
#include "model/units/byte_count.hpp"
#include "model/units/quantity.hpp"

#include <optional>
#include <string>
#include <vector>

namespace roofplan::probe {

/// What a device is: does not change while the program runs.
struct DeviceIdentity {
  std::string kind;    ///< "cpu" or "cuda"
  std::string name;    ///< as the driver or the kernel calls it
  std::string unique;  ///< serial or UUID; empty where there is none
  std::string driver, software;
  std::string compute_capability;  ///< CUDA: "9.0"
  int units = 0;                   ///< cores, or streaming multiprocessors
  int accelerators = 1;            ///< devices of this kind in the machine
  bool unified_memory = false;     ///< CPU and GPU share the memory
  model::ByteCount memory;         ///< that software sees as the total
  model::ByteCount cache;          ///< last level
};

/// How it is right now. What cannot be read is nothing.
struct DeviceState {
  std::optional<double> busy;             ///< share of the device in use by others, 0..1
  std::optional<double> clock_mhz;        ///< of the compute units
  std::optional<double> rated_clock_mhz;  ///< the highest it may run at
  std::optional<double> temperature_c;
  std::optional<model::Watts> power, power_limit, default_power_limit;
  std::optional<model::ByteCount> free_memory;
  std::vector<std::string> throttled;  ///< reasons that lower the clock by force: "hw_slowdown", ...
  std::vector<std::string> degraded;   ///< lasting faults: "uncorrected ECC errors: 3"
};

/// A device that probes run on. CPU, CUDA and, in tests, a device with known parameters stand behind it.
class Device {
 public:
  virtual ~Device() = default;
  virtual const DeviceIdentity& identity() const = 0;
  virtual DeviceState state() = 0;
};

/// A name for the very device, the same on every run: 16 hexadecimal digits of FNV-1a over kind, name,
/// serial, units and memory.
std::string fingerprint(const DeviceIdentity& identity);

/// What a reader of the results must know of the device's state before and after, in sentences; empty for a
/// healthy device that had nothing else to do.
std::vector<std::string> complaints(const DeviceState& before, const DeviceState& after);

/// The device part of a calibration file.
model::CalibratedDevice calibrated_device(const DeviceIdentity& identity);

}  // namespace roofplan::probe
