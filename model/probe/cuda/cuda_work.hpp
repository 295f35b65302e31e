#pragma once

#include "model/probe/cuda/cuda_context.hpp"
#include "model/probe/gpu/gpu_work.hpp"

#include <memory>

namespace roofplan::probe {

/// A work with its memory on the device, ready to be queued.
class CudaWork {
 public:
  virtual ~CudaWork() = default;
  /// Queues one execution on the context's stream. Executions of different turns, 0 to `turns` - 1, use
  /// different weights and caches.
  virtual void queue(int turn) = 0;
  /// Clears what the work writes, runs the last turn once and checks the result.
  virtual bool right() = 0;
  /// Whether it may stand in a captured graph.
  virtual bool capturable() const { return true; }
};

/// A work that times itself: launches, copies between devices, collectives.
class SelfTimedWork {
 public:
  virtual ~SelfTimedWork() = default;
  /// Seconds of one execution, 0 where it failed.
  virtual double run_s() = 0;
  virtual bool right() = 0;
};

/// Device memory that a work needs once, and once more for every turn.
struct Footprint {
  std::int64_t once = 0, per_turn = 0;
};
Footprint product_footprint(const ProductWork& work);
Footprint attention_footprint(const AttentionWork& work, int multiprocessors);
Footprint product_attention_footprint(const AttentionWork& work);
Footprint experts_footprint(const ExpertsWork& work);
/// Of any work that is captured; `multiprocessors` of the device.
Footprint footprint(const GpuWork& work, int multiprocessors);

// Each returns nullptr, with a sentence in the context's troubles, where the work cannot be made ready.
std::unique_ptr<CudaWork> make_memory_work(CudaContext& context, const MemoryWork& work);
std::unique_ptr<CudaWork> make_product_work(CudaContext& context, const ProductWork& work, int turns);
std::unique_ptr<CudaWork> make_attention_work(CudaContext& context, const AttentionWork& work, int turns);
std::unique_ptr<CudaWork> make_product_attention_work(CudaContext& context, const AttentionWork& work,
                                                      int turns);
std::unique_ptr<CudaWork> make_experts_work(CudaContext& context, const ExpertsWork& work, int turns);
std::unique_ptr<CudaWork> make_elementwise_work(CudaContext& context, const ElementwiseWork& work);
/// One that is captured among others.
std::unique_ptr<CudaWork> make_captured_collective(CudaContext& context, const CollectiveWork& work);
std::unique_ptr<SelfTimedWork> make_launch_work(CudaContext& context, const LaunchWork& work);
std::unique_ptr<SelfTimedWork> make_transfer_work(CudaContext& context, const TransferWork& work);
std::unique_ptr<SelfTimedWork> make_collective_work(CudaContext& context, const CollectiveWork& work);

}  // namespace roofplan::probe
