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
  OwnedEvent done;
  OwnedDeviceMemory from, to;
};

/// The first devices of the machine, ready to exchange.
class Ranks {
 public:
  Ranks(CudaContext& context, const CollectiveWork& work)
      : context_(context), work_(work), f_(context.nccl->functions()) {}
  ~Ranks() {
    for (Rank& rank : ranks_) {
      cudaSetDevice(rank.device);
      rank.stream.reset();
      rank.done.reset();
      rank.from.reset();
      rank.to.reset();
    }
    cudaSetDevice(context_.device);
  }
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  bool ready() {
    const std::vector<nccl::Communicator>& communicators = communicators_of(work_.ranks);
    if (communicators.empty()) return refused("opening communicators");
    for (int device = 0; device < work_.ranks; ++device) {
      Rank rank;
      rank.device = device;
      rank.communicator = communicators[static_cast<std::size_t>(device)];
      cudaSetDevice(device);
      rank.stream = new_stream();
      rank.done = new_event();
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

  bool queue() { return queue(nullptr); }

  /// As a part of what is queued on the context's stream: the other devices wait for it and it for them.
  bool queue_within() {
    const cudaStream_t stream = context_.stream.get();
    cudaEventRecord(context_.fork.get(), stream);
    for (std::size_t i = 1; i < ranks_.size(); ++i)
      cudaStreamWaitEvent(ranks_[i].stream.get(), context_.fork.get(), 0);
    if (!queue(stream)) return false;
    for (std::size_t i = 1; i < ranks_.size(); ++i) {
      cudaSetDevice(ranks_[i].device);
      cudaEventRecord(ranks_[i].done.get(), ranks_[i].stream.get());
    }
    cudaSetDevice(context_.device);
    for (std::size_t i = 1; i < ranks_.size(); ++i) cudaStreamWaitEvent(stream, ranks_[i].done.get(), 0);
    return true;
  }

  bool clear() {
    for (Rank& rank : ranks_) {
      cudaSetDevice(rank.device);
      cudaMemset(rank.to.get(), 0, static_cast<std::size_t>(work_.bytes));
      if (!context_.done(cudaDeviceSynchronize(), "a collective")) return false;
    }
    cudaSetDevice(context_.device);
    return true;
  }

  /// Every rank gave ones: sums are the number of ranks.
  bool right() {
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

  bool waited() {
    bool well = true;
    for (Rank& rank : ranks_) {
      cudaSetDevice(rank.device);
      well = context_.done(cudaStreamSynchronize(rank.stream.get()), "a collective") && well;
    }
    cudaSetDevice(context_.device);
    return well;
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

  /// On each rank's own stream, the first on `first` where one is given.
  bool queue(cudaStream_t first) {
    const auto all = static_cast<std::size_t>(count());
    const std::size_t each = all / static_cast<std::size_t>(work_.ranks);
    f_.group_start();
    for (Rank& r : ranks_) {
      const cudaStream_t stream = first != nullptr && r.device == context_.device ? first : r.stream.get();
      switch (work_.kind) {
        case CollectiveWork::Kind::all_reduce:
          f_.all_reduce(r.from.get(), r.to.get(), all, nccl::kFloat32, nccl::kSum, r.communicator, stream);
          break;
        case CollectiveWork::Kind::all_gather:
          f_.all_gather(r.from.get(), r.to.get(), each, nccl::kFloat32, r.communicator, stream);
          break;
        case CollectiveWork::Kind::reduce_scatter:
          f_.reduce_scatter(r.from.get(), r.to.get(), each, nccl::kFloat32, nccl::kSum, r.communicator,
                            stream);
          break;
      }
    }
    return f_.group_end() == 0 || refused("running");
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

/// Launched by the host, several in a row.
class CudaCollective final : public SelfTimedWork {
 public:
  CudaCollective(CudaContext& context, const CollectiveWork& work) : ranks_(context, work) {}
  bool ready() { return ranks_.ready(); }

  double run_s() override {
    const Seconds start = steady_now();
    for (int i = 0; i < kInARow; ++i) {
      if (!ranks_.queue()) return 0;
    }
    return ranks_.waited() ? (steady_now() - start).base() / kInARow : 0.0;
  }
  bool right() override { return ranks_.clear() && ranks_.queue() && ranks_.waited() && ranks_.right(); }

 private:
  Ranks ranks_;
};

/// One among the works of a graph, which spans all devices.
class CapturedCollective final : public CudaWork {
 public:
  CapturedCollective(CudaContext& context, const CollectiveWork& work)
      : context_(context), ranks_(context, work) {}
  bool ready() {
    if (context_.fork == nullptr) context_.fork = new_event();
    return ranks_.ready();
  }

  void queue(int) override { ranks_.queue_within(); }
  bool right() override {
    return ranks_.clear() && ranks_.queue_within() && context_.settled("checking a collective") &&
           ranks_.waited() && ranks_.right();
  }

 private:
  CudaContext& context_;
  Ranks ranks_;
};

template <class Made>
std::unique_ptr<Made> made(CudaContext& context, const CollectiveWork& work) {
  auto out = std::make_unique<Made>(context, work);
  if (!out->ready()) return nullptr;
  return out;
}

}  // namespace

std::unique_ptr<SelfTimedWork> make_collective_work(CudaContext& context, const CollectiveWork& work) {
  return made<CudaCollective>(context, work);
}
std::unique_ptr<CudaWork> make_captured_collective(CudaContext& context, const CollectiveWork& work) {
  return made<CapturedCollective>(context, work);
}

}  // namespace roofplan::probe
