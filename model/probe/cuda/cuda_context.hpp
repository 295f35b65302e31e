#pragma once

#include "model/probe/cuda/cublas_lt.hpp"
#include "model/probe/cuda/kernels.hpp"
#include "model/probe/cuda/nccl.hpp"

#include <cstdint>
#include <cuda_runtime_api.h>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

namespace roofplan::probe {

/// What CUDA hands out and wants back.
template <class T, cudaError_t (*kGiveBack)(T)>
struct CudaOwned {
  struct Deleter {
    using pointer = T;
    void operator()(T handle) const { kGiveBack(handle); }
  };
  using Pointer = std::unique_ptr<std::remove_pointer_t<T>, Deleter>;
};
using OwnedStream = CudaOwned<cudaStream_t, cudaStreamDestroy>::Pointer;
using OwnedEvent = CudaOwned<cudaEvent_t, cudaEventDestroy>::Pointer;
using OwnedGraph = CudaOwned<cudaGraph_t, cudaGraphDestroy>::Pointer;
using OwnedGraphRun = CudaOwned<cudaGraphExec_t, cudaGraphExecDestroy>::Pointer;
using OwnedDeviceMemory = CudaOwned<void*, cudaFree>::Pointer;
using OwnedHostMemory = CudaOwned<void*, cudaFreeHost>::Pointer;

OwnedEvent new_event();
OwnedStream new_stream();
/// Empty where there is not so much.
OwnedDeviceMemory device_memory(std::int64_t bytes);

/// One large piece of device memory, handed out from its start and taken back all at once.
class Arena {
 public:
  /// `bytes`, or as much below as there is, down to a quarter.
  explicit Arena(std::int64_t bytes);

  std::int64_t size() const { return size_; }
  std::int64_t left() const { return size_ - used_; }
  /// Aligned to 256 bytes; nullptr where not so much is left.
  void* take(std::int64_t bytes);
  void clear() { used_ = 0; }

 private:
  OwnedDeviceMemory memory_;
  std::int64_t size_ = 0, used_ = 0;
};

/// What works share on one device.
struct CudaContext {
  int device = 0;
  cudaDeviceProp properties{};
  OwnedStream stream;
  OwnedEvent start, stop;
  OwnedEvent fork;  ///< where other devices join a captured graph
  std::unique_ptr<Arena> arena;
  OwnedDeviceMemory workspace;  ///< of the library of products
  std::optional<lt::Library> lt;
  lt::Handle lt_handle = nullptr;
  std::optional<nccl::Library> nccl;
  std::map<int, std::vector<nccl::Communicator>> communicators;  ///< by the number of ranks
  std::vector<std::string> troubles;

  kernels::Launch launch() const { return {stream.get(), properties.multiProcessorCount}; }
  bool at_least(int major, int minor) const {
    return properties.major > major || (properties.major == major && properties.minor >= minor);
  }
  /// False, with a sentence in troubles, for anything but success.
  bool done(cudaError_t result, const char* what);
  /// Waits for the stream and looks for errors of everything queued before.
  bool settled(const char* what);
  /// Seconds between start and stop, 0 where that failed.
  double elapsed_s();
};

inline constexpr std::int64_t kWorkspaceBytes = std::int64_t{64} << 20;

/// `count` numbers from the device; empty where that failed.
std::vector<double> fetched(Pattern pattern, const void* from, std::int64_t first, std::int64_t count);

}  // namespace roofplan::probe
