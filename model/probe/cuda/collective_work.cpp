#include "model/probe/cuda/cuda_work.hpp"
#include "model/probe/measure.hpp"

#include <fmt/format.h>

#include <numeric>

namespace roofplan::probe {
namespace {

constexpr int kInARow = 5;

/// One rank of a collective: a device with its own stream and memory.
struct Rank {
  int device = 0;
  nccl::Communicator communicator = nullptr;
  OwnedStream stream;
  OwnedDeviceMemory from, to;
};

class CudaCollective final : public SelfTimedWork {
 public:
  CudaCollective(CudaContext& context, const CollectiveWork& work)
      : context_(context), work_(work), f_(context.nccl->functions()) {}
  ~CudaCollective() override {
    for (Rank& rank : ranks_) {
      cudaSetDevice(rank.device);
      rank.stream.reset();
      rank.from.reset();
      rank.to.reset();
    }
    cudaSetDevice(context_.device);
  }
  CudaCollective(const CudaCollective&) = delete;
  CudaCollective& operator=(const CudaCollective&) = delete;

  bool ready() {
    const std::vector<nccl::Communicator>& communicators = communicators_of(work_.ranks);
    if (communicators.empty()) return refused("opening communicators");
    for (int device = 0; device < work_.ranks; ++device) {
      Rank rank;
      rank.device = device;
      rank.communicator = communicators[static_cast<std::size_t>(device)];
      cudaSetDevice(device);
      rank.stream = new_stream();
      rank.from = device_memory(work_.bytes);
      rank.to = device_memory(work_.bytes);
      const bool has = rank.from != nullptr && rank.to != nullptr;
      cudaDeviceProp properties{};
      cudaGetDeviceProperties(&properties, device);
      if (has)
        kernels::fill({rank.stream.get(), properties.multiProcessorCount}, rank.from.get(), work_.bytes,
                      Pattern::ones, 0);
      ranks_.push_back(std::move(rank));
      if (!has) return refused("finding memory");
    }
    return waited();
  }

  double run_s() override {
    const Seconds start = steady_now();
    for (int i = 0; i < kInARow; ++i) {
      if (!queue()) return 0;
    }
    return waited() ? (steady_now() - start).base() / kInARow : 0.0;
  }

  bool right() override {
    for (Rank& rank : ranks_) {
      cudaSetDevice(rank.device);
      cudaMemset(rank.to.get(), 0, static_cast<std::size_t>(work_.bytes));
      if (!context_.done(cudaDeviceSynchronize(), "a collective")) return false;
    }
    if (!queue() || !waited()) return false;
    // Every rank gave ones: sums are the number of ranks.
    const double wanted = work_.kind == CollectiveWork::Kind::all_gather ? 1.0 : work_.ranks;
    const std::int64_t results = work_.kind == CollectiveWork::Kind::reduce_scatter
                                     ? count() / work_.ranks
                                     : count() / work_.ranks * work_.ranks;
    for (Rank& rank : ranks_) {
      cudaSetDevice(rank.device);
      for (const std::int64_t at : {std::int64_t{0}, results / 2, results - 1}) {
        const auto found = fetched(Pattern::float32, rank.to.get(), at, 1);
        if (found.empty() || found.front() != wanted) return false;
      }
    }
    cudaSetDevice(context_.device);
    return true;
  }

 private:
  /// Opening them takes a second, so they are kept for all works with as many ranks.
  const std::vector<nccl::Communicator>& communicators_of(int ranks) {
    const auto [entry, fresh] = context_.communicators.try_emplace(ranks);
    if (!fresh) return entry->second;
    std::vector<int> devices(static_cast<std::size_t>(ranks));
    std::iota(devices.begin(), devices.end(), 0);
    entry->second.resize(devices.size());
    if (f_.init_all(entry->second.data(), ranks, devices.data()) != 0) entry->second.clear();
    return entry->second;
  }
  std::int64_t count() const { return work_.bytes / 4; }

  bool queue() {
    const auto all = static_cast<std::size_t>(count());
    const std::size_t each = all / static_cast<std::size_t>(work_.ranks);
    f_.group_start();
    for (Rank& r : ranks_) {
      switch (work_.kind) {
        case CollectiveWork::Kind::all_reduce:
          f_.all_reduce(r.from.get(), r.to.get(), all, nccl::kFloat32, nccl::kSum, r.communicator,
                        r.stream.get());
          break;
        case CollectiveWork::Kind::all_gather:
          f_.all_gather(r.from.get(), r.to.get(), each, nccl::kFloat32, r.communicator, r.stream.get());
          break;
        case CollectiveWork::Kind::reduce_scatter:
          f_.reduce_scatter(r.from.get(), r.to.get(), each, nccl::kFloat32, nccl::kSum, r.communicator,
                            r.stream.get());
          break;
      }
    }
    return f_.group_end() == 0 || refused("running");
  }
  bool waited() {
    bool well = true;
    for (Rank& rank : ranks_) {
      cudaSetDevice(rank.device);
      well = context_.done(cudaStreamSynchronize(rank.stream.get()), "a collective") && well;
    }
    cudaSetDevice(context_.device);
    return well;
  }
  bool refused(const char* what) {
    context_.troubles.push_back(fmt::format("NCCL failed when {} {}", what, to_text(work_.kind)));
    return false;
  }

  CudaContext& context_;
  CollectiveWork work_;
  const nccl::Functions& f_;
  std::vector<Rank> ranks_;
};

}  // namespace

std::unique_ptr<SelfTimedWork> make_collective_work(CudaContext& context, const CollectiveWork& work) {
  auto out = std::make_unique<CudaCollective>(context, work);
  if (!out->ready()) return nullptr;
  return out;
}

}  // namespace roofplan::probe
