#include "model/probe/cuda/cuda_context.hpp"
#include "model/probe/gpu/gpu.hpp"
#include "model/probe/team/exchange.hpp"
#include "model/units/error.hpp"

#include <fmt/format.h>

namespace roofplan::probe {
namespace {

constexpr int kInARow = 5;

[[noreturn]] void refuse(const std::string& why) {
  throw model::InputError(model::InputError::Kind::missing, why, "--backend cpu");
}

/// One accelerator of a team.
class NcclExchange final : public Exchange {
 public:
  NcclExchange(Team& team, nccl::Library library, int device)
      : team_(team), library_(std::move(library)), f_(library_.functions()) {
    if (team.highest(cudaSetDevice(device) == cudaSuccess ? 0 : 1) > 0)
      refuse(fmt::format("GPU {} of this node, or that of another process, cannot be used", device));
    cudaGetDeviceProperties(&properties_, device);
    stream_ = new_stream();
    nccl::UniqueId id{};
    const bool given = team.rank() != 0 || f_.get_unique_id(&id) == 0;
    team.broadcast(std::as_writable_bytes(std::span(&id, 1)), 0);
    const bool joined = given && f_.init_rank(&communicator_, team.size(), id, team.rank()) == 0;
    if (team.highest(joined ? 0 : 1) > 0) refuse("NCCL does not join the processes");
  }
  ~NcclExchange() override {
    if (communicator_ != nullptr) f_.destroy(communicator_);
  }
  NcclExchange(const NcclExchange&) = delete;
  NcclExchange& operator=(const NcclExchange&) = delete;

  bool prepare(const CollectiveWork& work) override {
    work_ = work;
    from_.reset();
    to_.reset();
    from_ = device_memory(work.bytes);
    to_ = device_memory(work.bytes);
    if (from_ == nullptr || to_ == nullptr) return false;
    kernels::fill({stream_.get(), properties_.multiProcessorCount}, from_.get(), work.bytes, Pattern::ones,
                  0);
    return waited();
  }
  Seconds run() override {
    const Seconds start = steady_now();
    for (int i = 0; i < kInARow; ++i) {
      if (!queue()) return {};
    }
    return waited() ? (steady_now() - start) / kInARow : Seconds{};
  }
  bool right() override {
    cudaMemsetAsync(to_.get(), 0, static_cast<std::size_t>(work_.bytes), stream_.get());
    if (!queue() || !waited()) return false;
    const double wanted = work_.kind == CollectiveWork::Kind::all_gather ? 1.0 : team_.size();
    const std::int64_t results =
        each() * (work_.kind == CollectiveWork::Kind::reduce_scatter ? 1 : team_.size());
    for (const std::int64_t at : {std::int64_t{0}, results / 2, results - 1}) {
      const auto found = fetched(Pattern::float32, to_.get(), at, 1);
      if (found.empty() || found.front() != wanted) return false;
    }
    return true;
  }

 private:
  std::int64_t each() const { return work_.bytes / 4 / team_.size(); }
  bool queue() {
    const auto share = static_cast<std::size_t>(each());
    const std::size_t all = share * static_cast<std::size_t>(team_.size());
    switch (work_.kind) {
      case CollectiveWork::Kind::all_reduce:
        return f_.all_reduce(from_.get(), to_.get(), all, nccl::kFloat32, nccl::kSum, communicator_,
                             stream_.get()) == 0;
      case CollectiveWork::Kind::all_gather:
        return f_.all_gather(from_.get(), to_.get(), share, nccl::kFloat32, communicator_, stream_.get()) ==
               0;
      case CollectiveWork::Kind::reduce_scatter:
        break;
    }
    return f_.reduce_scatter(from_.get(), to_.get(), share, nccl::kFloat32, nccl::kSum, communicator_,
                             stream_.get()) == 0;
  }
  bool waited() { return cudaStreamSynchronize(stream_.get()) == cudaSuccess; }

  Team& team_;
  nccl::Library library_;
  const nccl::Functions& f_;
  cudaDeviceProp properties_{};
  OwnedStream stream_;
  nccl::Communicator communicator_ = nullptr;
  CollectiveWork work_;
  OwnedDeviceMemory from_, to_;
};

}  // namespace

std::unique_ptr<Exchange> gpu_exchange(Team& team, int local_rank) {
  auto library = nccl::Library::open();
  const std::string obstacle = !gpu_obstacle().empty()             ? gpu_obstacle()
                               : !library || !library->has_ranks() ? "libnccl is not installed"
                                                                   : "";
  if (team.highest(obstacle.empty() ? 0 : 1) > 0)
    refuse(obstacle.empty() ? "another process of the team has no GPU or no NCCL" : obstacle);
  int devices = 1;
  cudaGetDeviceCount(&devices);  // launchers may show each process its own device alone
  return std::make_unique<NcclExchange>(team, std::move(*library), local_rank % devices);
}

}  // namespace roofplan::probe
