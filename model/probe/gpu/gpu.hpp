#pragma once

#include "model/probe/device.hpp"
#include "model/probe/gpu/gpu_work.hpp"
#include "model/probe/measure.hpp"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace roofplan::probe {

/// A GPU that runs works. Works given together run one after the other as one captured graph, with weights
/// and caches from memory, not from what the run before left in the last cache. CUDA stands behind it, and in
/// tests a GPU with known parameters.
class Gpu : public Device {
 public:
  /// Why the GPU cannot do a work, in words: a format that it has not, a second device, a library. Empty
  /// where it can.
  virtual std::string obstacle(const GpuWork& work) = 0;
  /// Makes the works ready in place of those before. False with a word in troubles() where that fails.
  virtual bool prepare(std::span<const GpuWork> works) = 0;
  /// Runs what was prepared; time of one execution of all works. 0 where it failed.
  virtual Seconds run() = 0;
  /// Whether the last run computed what it should.
  virtual bool right() = 0;
  /// What went wrong since the last call, in sentences.
  virtual std::vector<std::string> troubles() = 0;
  /// Bytes that works can have at most.
  virtual std::int64_t room() const = 0;
};

/// The device of that number. Throws InputError (missing) with one plain sentence: no driver, no such device,
/// or a program without the CUDA back end.
std::unique_ptr<Gpu> open_gpu(int number);
/// What open_gpu() would say; empty where there is a GPU.
std::string gpu_obstacle();
/// Who the device is, without preparing it for works; nothing where there is none.
std::optional<DeviceIdentity> gpu_identity(int number);

/// Lets probes share one GPU: each prepares its works when it runs after another.
class Workbench {
 public:
  explicit Workbench(Gpu& gpu) : gpu_(gpu) {}

  Seconds run(const std::vector<GpuWork>& works);
  /// Whether they compute what they should; false where they cannot run.
  bool right(const std::vector<GpuWork>& works);

 private:
  void make_ready(const std::vector<GpuWork>& works);

  Gpu& gpu_;
  std::vector<GpuWork> ready_;
  bool usable_ = false;
};

}  // namespace roofplan::probe
