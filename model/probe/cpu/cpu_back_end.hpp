#pragma once

#include "model/probe/back_end.hpp"
#include "model/probe/cpu/cpu_arena.hpp"
#include "model/probe/cpu/cpu_device.hpp"

namespace roofplan::probe {

/// The processors of this machine, with kernels in fp32 by Eigen.
class CpuBackEnd : public BackEnd {
 public:
  explicit CpuBackEnd(const BackEndWish& wish);

  Device& device() override { return device_; }
  RunOptions options() const override;
  std::vector<Probe> probes() override;
  std::vector<Replay> replays(const model::Catalog& catalog) override;
  std::vector<std::string> remarks() override;

 private:
  /// The memory that probes work in, filled on first use.
  const std::shared_ptr<CpuArena>& arena();

  BackEndWish wish_;
  CpuDevice device_;
  std::shared_ptr<CpuArena> arena_;
};

}  // namespace roofplan::probe
