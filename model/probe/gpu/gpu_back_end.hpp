#pragma once

#include "model/probe/back_end.hpp"
#include "model/probe/gpu/gpu.hpp"

#include <memory>

namespace roofplan::probe {

/// The first GPU of this machine, with its neighbours for copies and collectives.
class GpuBackEnd : public BackEnd {
 public:
  GpuBackEnd(std::unique_ptr<Gpu> gpu, const BackEndWish& wish);

  Device& device() override { return *gpu_; }
  RunOptions options() const override;
  /// Throws InputError (missing) where the GPU is busy with other work or throttled.
  std::vector<Probe> probes() override;
  std::vector<Probe> checks() override;
  std::vector<Replay> replays(const model::Catalog& catalog) override;
  std::vector<model::ProbeResult> sustained(const RunOptions& options) override;
  /// With the clock under the streaming load: an idle GPU lowers it by itself.
  DeviceState state_after() override;
  void fit(model::Calibration& calibration, const model::Chip* chip) const override;
  std::vector<std::string> remarks() override;

 private:
  /// Notes why something is not measured, once.
  void leave_out(std::string sentence);
  /// Nothing, and a note, where the GPU cannot do one of its works. Throws as layer_operators().
  std::optional<Replay> replay_of(const model::ReplayResult& what, const model::Architecture& model,
                                  const model::Catalog& catalog);

  BackEndWish wish_;
  std::unique_ptr<Gpu> gpu_;
  std::shared_ptr<Workbench> bench_;
  std::vector<std::string> left_out_;
  std::optional<double> streaming_mhz_;
};

}  // namespace roofplan::probe
