#include "model/probe/cuda/cuda_work.hpp"

#include <cstring>

namespace roofplan::probe {
namespace {

OwnedHostMemory host_memory(std::int64_t bytes) {
  void* memory = nullptr;
  if (cudaMallocHost(&memory, static_cast<std::size_t>(bytes)) != cudaSuccess) {
    cudaGetLastError();
    return nullptr;
  }
  return OwnedHostMemory(memory);
}

/// Between pinned memory of the host and the device.
class CudaHostTransfer final : public SelfTimedWork {
 public:
  CudaHostTransfer(CudaContext& context, const TransferWork& work)
      : context_(context),
        work_(work),
        host_(host_memory(work.bytes)),
        device_(context.arena->take(work.bytes)) {}

  bool ready() const { return host_ != nullptr && device_ != nullptr; }

  double run_s() override {
    cudaEventRecord(context_.start.get(), context_.stream.get());
    copy();
    cudaEventRecord(context_.stop.get(), context_.stream.get());
    return context_.elapsed_s();
  }

  bool right() override {
    const auto bytes = static_cast<std::size_t>(work_.bytes);
    std::vector<char> filled(bytes), back(bytes);
    for (std::size_t i = 0; i < bytes; ++i) filled[i] = static_cast<char>(mixed(7, i));
    const bool in = work_.kind == TransferWork::Kind::host_to_device;
    if (in) {
      std::memcpy(host_.get(), filled.data(), bytes);
      cudaMemsetAsync(device_, 0, bytes, context_.stream.get());
    } else {
      cudaMemcpy(device_, filled.data(), bytes, cudaMemcpyHostToDevice);
      std::memset(host_.get(), 0, bytes);
    }
    if (!context_.done(cudaDeviceSynchronize(), "checking a transfer")) return false;
    copy();
    if (!context_.settled("checking a transfer")) return false;
    if (in) {
      if (!context_.done(cudaMemcpy(back.data(), device_, bytes, cudaMemcpyDeviceToHost),
                         "checking a transfer"))
        return false;
    } else {
      std::memcpy(back.data(), host_.get(), bytes);
    }
    return back == filled;
  }

 private:
  void copy() {
    const bool in = work_.kind == TransferWork::Kind::host_to_device;
    cudaMemcpyAsync(in ? device_ : host_.get(), in ? host_.get() : device_,
                    static_cast<std::size_t>(work_.bytes),
                    in ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost, context_.stream.get());
  }

  CudaContext& context_;
  TransferWork work_;
  OwnedHostMemory host_;
  void* device_;
};

/// Makes another device current for as long as it lives.
class Current {
 public:
  explicit Current(int device) { cudaGetDevice(&before_), cudaSetDevice(device); }
  ~Current() { cudaSetDevice(before_); }
  Current(const Current&) = delete;
  Current& operator=(const Current&) = delete;

 private:
  int before_ = 0;
};

/// Between two devices, by the link that the driver takes.
class CudaPeerTransfer final : public SelfTimedWork {
 public:
  CudaPeerTransfer(CudaContext& context, const TransferWork& work) : context_(context), work_(work) {
    int possible = 0;
    cudaDeviceCanAccessPeer(&possible, work.from, work.to);
    {
      const Current current(work.to);
      to_ = device_memory(work.bytes);
    }
    const Current current(work.from);
    if (possible != 0) cudaDeviceEnablePeerAccess(work.to, 0);
    cudaGetLastError();  // enabled before is as good
    from_ = device_memory(work.bytes);
    stream_ = new_stream();
    start_ = new_event();
    stop_ = new_event();
  }

  bool ready() const { return from_ != nullptr && to_ != nullptr; }

  double run_s() override {
    const Current current(work_.from);
    cudaEventRecord(start_.get(), stream_.get());
    copy();
    cudaEventRecord(stop_.get(), stream_.get());
    float milliseconds = 0;
    if (!context_.done(cudaEventSynchronize(stop_.get()), "copying to a peer") ||
        !context_.done(cudaEventElapsedTime(&milliseconds, start_.get(), stop_.get()), "timing"))
      return 0;
    return 1e-3 * static_cast<double>(milliseconds);
  }

  bool right() override {
    const Current current(work_.from);
    const auto bytes = static_cast<std::size_t>(work_.bytes);
    std::vector<char> filled(bytes), back(bytes);
    for (std::size_t i = 0; i < bytes; ++i) filled[i] = static_cast<char>(mixed(9, i));
    cudaMemcpy(from_.get(), filled.data(), bytes, cudaMemcpyHostToDevice);
    if (!context_.done(cudaDeviceSynchronize(), "checking a peer")) return false;
    copy();
    if (!context_.done(cudaStreamSynchronize(stream_.get()), "checking a peer")) return false;
    const Current other(work_.to);
    return context_.done(cudaMemcpy(back.data(), to_.get(), bytes, cudaMemcpyDeviceToHost),
                         "checking a peer") &&
           back == filled;
  }

 private:
  void copy() {
    cudaMemcpyPeerAsync(to_.get(), work_.to, from_.get(), work_.from, static_cast<std::size_t>(work_.bytes),
                        stream_.get());
  }

  CudaContext& context_;
  TransferWork work_;
  OwnedDeviceMemory from_, to_;
  OwnedStream stream_;
  OwnedEvent start_, stop_;
};

}  // namespace

std::unique_ptr<SelfTimedWork> make_transfer_work(CudaContext& context, const TransferWork& work) {
  const auto made = [&](auto out) -> std::unique_ptr<SelfTimedWork> {
    if (out->ready()) return out;
    context.troubles.emplace_back("no memory for a transfer");
    return nullptr;
  };
  if (work.kind == TransferWork::Kind::peer) return made(std::make_unique<CudaPeerTransfer>(context, work));
  return made(std::make_unique<CudaHostTransfer>(context, work));
}

}  // namespace roofplan::probe
