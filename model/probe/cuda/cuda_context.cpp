#include "model/probe/cuda/cuda_context.hpp"

#include "model/probe/cuda/number_bits.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace roofplan::probe {

OwnedEvent new_event() {
  cudaEvent_t event = nullptr;
  cudaEventCreate(&event);
  return OwnedEvent(event);
}

OwnedStream new_stream() {
  cudaStream_t stream = nullptr;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  return OwnedStream(stream);
}

OwnedDeviceMemory device_memory(std::int64_t bytes) {
  void* memory = nullptr;
  if (cudaMalloc(&memory, static_cast<std::size_t>(bytes)) != cudaSuccess) {
    cudaGetLastError();  // not having it is an answer, not a fault of the device
    return nullptr;
  }
  return OwnedDeviceMemory(memory);
}

Arena::Arena(std::int64_t bytes) {
  for (std::int64_t size = bytes; size >= bytes / 4 && memory_ == nullptr; size = size / 4 * 3) {
    memory_ = device_memory(size);
    size_ = memory_ == nullptr ? 0 : size;
  }
}

void* Arena::take(std::int64_t bytes) {
  constexpr std::int64_t kAligned = 256;
  if (bytes < 0 || bytes > left()) return nullptr;
  char* out = static_cast<char*>(memory_.get()) + used_;
  used_ = std::min(size_, used_ + (bytes + kAligned - 1) / kAligned * kAligned);
  return out;
}

bool CudaContext::done(cudaError_t result, const char* what) {
  if (result == cudaSuccess) return true;
  troubles.push_back(fmt::format("{}: {}", what, cudaGetErrorString(result)));
  return false;
}

bool CudaContext::settled(const char* what) {
  const cudaError_t queued = cudaGetLastError();
  const cudaError_t ran = cudaStreamSynchronize(stream.get());
  return done(queued == cudaSuccess ? ran : queued, what);
}

double CudaContext::elapsed_s() {
  float milliseconds = 0;
  if (!done(cudaEventSynchronize(stop.get()), "waiting for the device")) return 0;
  if (!done(cudaEventElapsedTime(&milliseconds, start.get(), stop.get()), "timing")) return 0;
  return 1e-3 * static_cast<double>(milliseconds);
}

std::vector<double> fetched(Pattern pattern, const void* from, std::int64_t first, std::int64_t count) {
  const int bits = bits_of(pattern);
  const std::int64_t begin = first * bits / 8, bytes = (count * bits + 7) / 8;
  std::vector<char> raw(static_cast<std::size_t>(bytes));
  if (cudaMemcpy(raw.data(), static_cast<const char*>(from) + begin, raw.size(), cudaMemcpyDeviceToHost) !=
      cudaSuccess)
    return {};
  std::vector<double> out(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i) out[static_cast<std::size_t>(i)] = decoded(pattern, raw.data(), i);
  return out;
}

}  // namespace roofplan::probe
