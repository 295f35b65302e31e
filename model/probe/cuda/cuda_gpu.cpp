#include "model/probe/cuda/cuda_gpu.hpp"

#include "model/units/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <sstream>

namespace roofplan::probe {
namespace {

using model::InputError;

constexpr int kLeastMajor = 8;
constexpr double kLongEnough_s = 400e-6;  // of one timing, against the half microsecond of an event
constexpr int kMostNodes = 3000;          // of a captured graph
constexpr std::int64_t kMostArena = std::int64_t{48} << 30;

std::string refusal(const char* what) {
  return fmt::format("there is no GPU to measure: {}", what);
}

/// Bytes that the operating system would give without swapping.
std::int64_t available_bytes() {
  std::ifstream in("/proc/meminfo");
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with("MemAvailable:")) continue;
    std::istringstream numbers(line.substr(13));
    std::int64_t kib = 0;
    return numbers >> kib ? kib * 1024 : 0;
  }
  return 0;
}

/// Free for CUDA. On unified memory the driver counts pages that the system caches as used or, on others, as
/// free: the lower of both is safe.
std::int64_t free_bytes(const cudaDeviceProp& properties) {
  std::size_t free = 0, total = 0;
  if (cudaMemGetInfo(&free, &total) != cudaSuccess) return 0;
  const auto by_driver = static_cast<std::int64_t>(free);
  return properties.integrated != 0 ? std::min(by_driver, available_bytes()) : by_driver;
}

std::string version_text(int version) {
  return fmt::format("{}.{}", version / 1000, version % 1000 / 10);
}

std::string unique_text(const cudaUUID_t& uuid) {
  std::string out = "GPU-";
  for (std::size_t i = 0; i < sizeof uuid.bytes; ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) out += '-';
    out += fmt::format("{:02x}", static_cast<unsigned char>(uuid.bytes[i]));
  }
  return out;
}

DeviceIdentity identity_of(const cudaDeviceProp& p) {
  int count = 1, runtime = 0, driver = 0;
  cudaGetDeviceCount(&count);
  cudaRuntimeGetVersion(&runtime);
  cudaDriverGetVersion(&driver);
  DeviceIdentity out;
  out.kind = "cuda";
  out.name = p.name;
  out.unique = unique_text(p.uuid);
  out.driver = "CUDA " + version_text(driver);
  out.software = "CUDA " + version_text(runtime);
  out.compute_capability = fmt::format("{}.{}", p.major, p.minor);
  out.units = p.multiProcessorCount;
  out.accelerators = count;
  out.unified_memory = p.integrated != 0;
  out.memory = model::ByteCount(static_cast<std::int64_t>(p.totalGlobalMem));
  out.cache = model::ByteCount(p.l2CacheSize);
  return out;
}

double moved_bytes(const GpuWork& work) {
  if (const auto* w = std::get_if<MemoryWork>(&work)) return static_cast<double>(w->bytes);
  if (const auto* w = std::get_if<ProductWork>(&work)) return w->weight_bytes();
  if (const auto* w = std::get_if<AttentionWork>(&work)) return w->cache_bytes();
  if (const auto* w = std::get_if<ExpertsWork>(&work)) return w->weight_bytes();
  if (const auto* w = std::get_if<ElementwiseWork>(&work)) return w->bytes();
  if (const auto* w = std::get_if<CollectiveWork>(&work); w != nullptr && w->captured)
    return static_cast<double>(w->bytes);
  return 0;
}

}  // namespace

Footprint footprint(const GpuWork& work, int multiprocessors) {
  constexpr std::int64_t kAlignment = 4096;
  if (const auto* w = std::get_if<MemoryWork>(&work)) return {w->bytes + std::int64_t{64} * 1024 * 16, 0};
  if (const auto* w = std::get_if<ProductWork>(&work)) return product_footprint(*w);
  if (const auto* w = std::get_if<AttentionWork>(&work))
    return w->by_products() ? product_attention_footprint(*w) : attention_footprint(*w, multiprocessors);
  if (const auto* w = std::get_if<ExpertsWork>(&work)) return experts_footprint(*w);
  if (const auto* w = std::get_if<ElementwiseWork>(&work)) return {12 * w->rows * w->width + kAlignment, 0};
  return {};
}

std::string gpu_obstacle() {
  int count = 0;
  const cudaError_t result = cudaGetDeviceCount(&count);
  if (result == cudaErrorInsufficientDriver || result == cudaErrorInitializationError)
    return refusal("the NVIDIA driver is not installed or older than this program needs");
  if (result == cudaErrorNoDevice || (result == cudaSuccess && count == 0))
    return refusal("the NVIDIA driver sees no device");
  cudaDeviceProp first{};
  if (result != cudaSuccess || cudaGetDeviceProperties(&first, 0) != cudaSuccess)
    return refusal(cudaGetErrorString(result));
  if (first.major >= kLeastMajor) return {};
  return refusal(fmt::format("{} has compute capability {}.{}, below {}.0", first.name, first.major,
                             first.minor, kLeastMajor)
                     .c_str());
}

std::optional<DeviceIdentity> gpu_identity(int number) {
  cudaDeviceProp properties{};
  if (!gpu_obstacle().empty() || cudaGetDeviceProperties(&properties, number) != cudaSuccess)
    return std::nullopt;
  return identity_of(properties);
}

std::unique_ptr<Gpu> open_gpu(int number) {
  return std::make_unique<CudaGpu>(number);
}

CudaGpu::CudaGpu(int number) {
  if (const std::string obstacle = gpu_obstacle(); !obstacle.empty())
    throw InputError(InputError::Kind::missing, obstacle, "--backend cpu");
  context_.device = number;
  if (cudaSetDevice(number) != cudaSuccess ||
      cudaGetDeviceProperties(&context_.properties, number) != cudaSuccess)
    throw InputError(InputError::Kind::missing, refusal("it does not answer"), "--backend cpu");
  std::array<char, 32> bus_id{};
  if (cudaDeviceGetPCIBusId(bus_id.data(), static_cast<int>(bus_id.size()), number) == cudaSuccess)
    nvml_ = Nvml::open(bus_id.data());
  context_.stream = new_stream();
  context_.start = new_event();
  context_.stop = new_event();
  context_.workspace = device_memory(kWorkspaceBytes);
  const std::int64_t free = free_bytes(context_.properties);
  context_.arena =
      std::make_unique<Arena>(std::min(kMostArena, free / (context_.properties.integrated != 0 ? 4 : 2)));
  context_.lt = lt::Library::open();
  if (context_.lt && context_.lt->functions().create(&context_.lt_handle) != 0) context_.lt_handle = nullptr;
  context_.nccl = nccl::Library::open();
  if (context_.arena->size() == 0 || context_.workspace == nullptr)
    throw InputError(InputError::Kind::missing, refusal("it has no free memory"), "--backend cpu");
  identity_ = identity_of(context_.properties);
  if (nvml_ && !nvml_->driver().empty()) identity_.driver = nvml_->driver();
  if (context_.lt) {
    const std::size_t v = context_.lt->functions().version();
    identity_.software += fmt::format(", cuBLASLt {}.{}.{}", v / 10000, v / 100 % 100, v % 100);
  }
}

CudaGpu::~CudaGpu() {
  graph_.reset();
  works_.clear();
  own_timing_.reset();
  if (context_.lt_handle != nullptr) context_.lt->functions().destroy(context_.lt_handle);
  for (const auto& [ranks, communicators] : context_.communicators) {
    for (const nccl::Communicator communicator : communicators)
      context_.nccl->functions().destroy(communicator);
  }
}

DeviceState CudaGpu::state() {
  DeviceState out = nvml_ ? nvml_->state() : DeviceState{};
  out.free_memory = model::ByteCount(free_bytes(context_.properties));
  return out;
}

std::string CudaGpu::obstacle(const GpuWork& work) {
  if (const auto* w = std::get_if<ProductWork>(&work)) {
    if (!context_.lt) return "libcublasLt is not installed";
    if (context_.lt_handle == nullptr) return "libcublasLt cannot be used with this driver";
    using F = ProductWork::Format;
    const bool eight = w->format == F::fp8,
               blocks = w->format == F::nvfp4 || w->format == F::mxfp8 || w->format == F::mxfp4;
    if ((eight && !context_.at_least(8, 9)) || (blocks && !context_.at_least(10, 0)))
      return fmt::format("{} has no {} products", identity_.name, to_text(w->format));
  }
  if (std::holds_alternative<ExpertsWork>(work) && context_.lt_handle == nullptr)
    return "libcublasLt is not installed";
  if (const auto* w = std::get_if<AttentionWork>(&work); w != nullptr && w->by_products()) {
    if (context_.lt_handle == nullptr) return "libcublasLt is not installed";
    if (w->head_dim % 8 != 0 || w->latent % 8 != 0 || w->depth % 8 != 0)
      return fmt::format("attention of heads of {} is not measured: no multiple of 8", w->head_dim);
  }
  if (const auto* w = std::get_if<CollectiveWork>(&work)) {
    if (!context_.nccl) return "libnccl is not installed";
    if (w->ranks > identity_.accelerators) return fmt::format("there are {} devices", identity_.accelerators);
  }
  if (const auto* w = std::get_if<TransferWork>(&work);
      w != nullptr && std::max(w->from, w->to) >= identity_.accelerators)
    return fmt::format("there are {} devices", identity_.accelerators);
  const Footprint needed = footprint(work, context_.properties.multiProcessorCount);
  if (needed.once + needed.per_turn > context_.arena->size())
    return fmt::format("{:.1f} GB of memory are free", static_cast<double>(context_.arena->size()) / 1e9);
  return {};
}

bool CudaGpu::prepare(std::span<const GpuWork> works) {
  graph_.reset();
  works_.clear();
  own_timing_.reset();
  context_.arena->clear();
  if (works.size() == 1 && moved_bytes(works.front()) == 0) return prepare_own_timing(works.front());
  return make_all(works) && capture();
}

bool CudaGpu::prepare_own_timing(const GpuWork& work) {
  if (const auto* w = std::get_if<LaunchWork>(&work)) own_timing_ = make_launch_work(context_, *w);
  if (const auto* w = std::get_if<TransferWork>(&work)) own_timing_ = make_transfer_work(context_, *w);
  if (const auto* w = std::get_if<CollectiveWork>(&work)) own_timing_ = make_collective_work(context_, *w);
  return own_timing_ != nullptr;
}

bool CudaGpu::make_all(std::span<const GpuWork> works) {
  // Weights and caches of all turns together are three times what the last cache holds.
  Footprint all;
  for (const GpuWork& work : works) {
    const Footprint own = footprint(work, context_.properties.multiProcessorCount);
    all.once += own.once;
    all.per_turn += own.per_turn;
  }
  const std::int64_t room = context_.arena->size() - all.once;
  turns_ = 1;
  if (all.per_turn > 0) {
    constexpr std::int64_t kMostTurns = 64;
    const std::int64_t flushing = std::int64_t{3} * context_.properties.l2CacheSize / all.per_turn + 1;
    turns_ =
        static_cast<int>(std::clamp<std::int64_t>(std::min(flushing, room / all.per_turn), 1, kMostTurns));
  }
  for (const GpuWork& work : works) {
    std::unique_ptr<CudaWork> made;
    if (const auto* w = std::get_if<MemoryWork>(&work)) made = make_memory_work(context_, *w);
    if (const auto* w = std::get_if<ProductWork>(&work)) made = make_product_work(context_, *w, turns_);
    if (const auto* w = std::get_if<AttentionWork>(&work))
      made = w->by_products() ? make_product_attention_work(context_, *w, turns_)
                              : make_attention_work(context_, *w, turns_);
    if (const auto* w = std::get_if<CollectiveWork>(&work)) made = make_captured_collective(context_, *w);
    if (const auto* w = std::get_if<ExpertsWork>(&work)) made = make_experts_work(context_, *w, turns_);
    if (const auto* w = std::get_if<ElementwiseWork>(&work)) made = make_elementwise_work(context_, *w);
    if (made == nullptr) {
      if (context_.troubles.empty())
        context_.troubles.emplace_back("the memory does not suffice for all works together");
      return false;
    }
    works_.push_back(std::move(made));
  }
  return true;
}

void CudaGpu::queue_all() {
  for (int round = 0; round < rounds_; ++round) {
    for (const auto& work : works_) work->queue(round % turns_);
  }
}

bool CudaGpu::capture() {
  const cudaStream_t stream = context_.stream.get();
  rounds_ = turns_;
  queue_all();  // loads kernels
  if (!context_.settled("the first run")) return false;
  cudaEventRecord(context_.start.get(), stream);
  queue_all();
  cudaEventRecord(context_.stop.get(), stream);
  const double once = context_.elapsed_s() / turns_;
  if (once <= 0) return false;
  const int nodes = 5 * static_cast<int>(works_.size());
  const int wanted =
      static_cast<int>(std::min(std::ceil(kLongEnough_s / once), static_cast<double>(kMostNodes / nodes)));
  rounds_ = std::max(1, (std::max(wanted, turns_) + turns_ - 1) / turns_) * turns_;
  if (!std::all_of(works_.begin(), works_.end(), [](const auto& w) { return w->capturable(); })) return true;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t run = nullptr;
  if (!context_.done(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "capturing"))
    return false;
  queue_all();
  if (!context_.done(cudaStreamEndCapture(stream, &graph), "capturing")) return false;
  const OwnedGraph owned(graph);
  if (!context_.done(cudaGraphInstantiate(&run, graph, 0), "making a graph")) return false;
  graph_.reset(run);
  return context_.done(cudaGraphUpload(run, stream), "loading a graph") &&
         context_.settled("loading a graph");
}

Seconds CudaGpu::run() {
  if (own_timing_ != nullptr) return own_timing_->run_s() * model::unit::s;
  constexpr long long kHeadStart = 60'000;  // cycles, while the host queues what is timed
  kernels::spin(context_.launch(), kHeadStart);
  cudaEventRecord(context_.start.get(), context_.stream.get());
  if (graph_ != nullptr) {
    cudaGraphLaunch(graph_.get(), context_.stream.get());
  } else {
    queue_all();
  }
  cudaEventRecord(context_.stop.get(), context_.stream.get());
  if (!context_.done(cudaGetLastError(), "launching")) return {};
  return context_.elapsed_s() / rounds_ * model::unit::s;
}

bool CudaGpu::right() {
  if (own_timing_ != nullptr) return own_timing_->right();
  return !works_.empty() &&
         std::all_of(works_.begin(), works_.end(), [](const auto& w) { return w->right(); });
}

std::vector<std::string> CudaGpu::troubles() {
  return std::exchange(context_.troubles, {});
}

}  // namespace roofplan::probe
