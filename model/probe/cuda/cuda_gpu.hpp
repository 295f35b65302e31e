#pragma once

#include "model/probe/cuda/cuda_work.hpp"
#include "model/probe/gpu/gpu.hpp"
#include "model/probe/gpu/nvml.hpp"

namespace roofplan::probe {

/// A GPU by the CUDA runtime, which is linked in, and by the driver's libraries, which are opened.
class CudaGpu final : public Gpu {
 public:
  /// Throws InputError (missing) where the device cannot be used.
  explicit CudaGpu(int number);
  ~CudaGpu() override;

  const DeviceIdentity& identity() const override { return identity_; }
  DeviceState state() override;
  std::string obstacle(const GpuWork& work) override;
  bool prepare(std::span<const GpuWork> works) override;
  Seconds run() override;
  bool right() override;
  std::vector<std::string> troubles() override;
  std::int64_t room() const override { return context_.arena->size(); }

 private:
  bool prepare_own_timing(const GpuWork& work);
  bool make_all(std::span<const GpuWork> works);
  bool capture();
  void queue_all();

  CudaContext context_;
  DeviceIdentity identity_;
  std::optional<Nvml> nvml_;
  std::vector<std::unique_ptr<CudaWork>> works_;
  std::unique_ptr<SelfTimedWork> own_timing_;
  OwnedGraphRun graph_;
  int turns_ = 1, rounds_ = 1;  ///< the works are run `rounds_` times in one timing, going through the turns
};

}  // namespace roofplan::probe
