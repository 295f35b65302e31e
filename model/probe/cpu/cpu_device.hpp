#pragma once

#include "model/probe/device.hpp"

namespace roofplan::probe {

/// The processors of this machine as the operating system tells them: /proc and /sys of Linux. Cores are
/// those that this process may run on.
class CpuDevice : public Device {
 public:
  CpuDevice();
  const DeviceIdentity& identity() const override { return identity_; }
  /// Watches the machine for a tenth of a second to see whether others use it.
  DeviceState state() override;

 private:
  DeviceIdentity identity_;
};

}  // namespace roofplan::probe
