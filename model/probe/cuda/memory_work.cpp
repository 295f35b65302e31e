#include "model/probe/cuda/cuda_work.hpp"

namespace roofplan::probe {
namespace {

constexpr unsigned kWritten = 0x5a5a1234u;
constexpr float kFactor = 3.0f;

class CudaMemory final : public CudaWork {
 public:
  CudaMemory(CudaContext& context, const MemoryWork& work)
      : context_(context), kind_(work.kind), passes_(work.passes), bytes_(work.bytes / streams() / 16 * 16) {}

  bool ready() {
    for (int i = 0; i < streams(); ++i) memory_[i] = context_.arena->take(bytes_);
    const std::int64_t parts =
        kind_ == MemoryWork::Kind::read ? kernels::read_parts(context_.launch(), bytes_) : 0;
    parts_bytes_ = (4 * parts + 15) / 16 * 16;
    parts_ = context_.arena->take(parts_bytes_);
    found_ = context_.arena->take(16);
    if (memory_[streams() - 1] == nullptr || found_ == nullptr) return false;
    const Pattern pattern = kind_ == MemoryWork::Kind::triad ? Pattern::float32 : Pattern::bfloat16;
    for (int i = 0; i < streams(); ++i)
      kernels::fill(context_.launch(), memory_[i], bytes_, pattern, static_cast<unsigned>(i) + 1);
    return context_.settled("filling memory");
  }

  void queue(int) override {
    const kernels::Launch launch = context_.launch();
    switch (kind_) {
      case MemoryWork::Kind::read:
        return kernels::read(launch, memory_[0], bytes_, passes_, static_cast<unsigned*>(parts_));
      case MemoryWork::Kind::write:
        return kernels::write(launch, memory_[0], bytes_, kWritten);
      case MemoryWork::Kind::copy:
        return kernels::copy(launch, memory_[0], memory_[1], bytes_);
      case MemoryWork::Kind::driver_copy:
        cudaMemcpyAsync(memory_[1], memory_[0], static_cast<std::size_t>(bytes_), cudaMemcpyDeviceToDevice,
                        launch.stream);
        return;
      case MemoryWork::Kind::triad:
        return kernels::triad(launch, memory_[0], memory_[1], memory_[2], kFactor, bytes_);
    }
  }

  bool right() override {
    const kernels::Launch launch = context_.launch();
    void* written = kind_ == MemoryWork::Kind::read ? parts_ : memory_[streams() - 1];
    const std::int64_t size = kind_ == MemoryWork::Kind::read ? parts_bytes_ : bytes_;
    cudaMemsetAsync(written, 0, static_cast<std::size_t>(size), launch.stream);
    cudaMemsetAsync(found_, 0, 16, launch.stream);
    queue(0);
    auto* found = static_cast<unsigned long long*>(found_);
    switch (kind_) {
      case MemoryWork::Kind::read:
        // Both sums into one word: what is left is where they differ.
        kernels::exclusive_or(launch, memory_[0], bytes_, static_cast<unsigned*>(found_));
        kernels::exclusive_or(launch, parts_, parts_bytes_, static_cast<unsigned*>(found_));
        break;
      case MemoryWork::Kind::write:
        kernels::count_other_than(launch, memory_[0], kWritten, bytes_, found);
        break;
      case MemoryWork::Kind::copy:
      case MemoryWork::Kind::driver_copy:
        kernels::count_unequal(launch, memory_[0], memory_[1], bytes_, found);
        break;
      case MemoryWork::Kind::triad:
        kernels::count_wrong_triads(launch, memory_[0], memory_[1], memory_[2], kFactor, bytes_, found);
        break;
    }
    unsigned long long wrong = 1;
    return context_.settled("checking memory") &&
           cudaMemcpy(&wrong, found_, sizeof wrong, cudaMemcpyDeviceToHost) == cudaSuccess && wrong == 0;
  }

  // The driver chooses its own way outside of graphs.
  bool capturable() const override { return kind_ != MemoryWork::Kind::driver_copy; }

 private:
  /// Separate pieces of memory that one execution touches.
  int streams() const {
    if (kind_ == MemoryWork::Kind::triad) return 3;
    return kind_ == MemoryWork::Kind::read || kind_ == MemoryWork::Kind::write ? 1 : 2;
  }

  CudaContext& context_;
  MemoryWork::Kind kind_;
  int passes_;
  std::int64_t bytes_, parts_bytes_ = 0;
  void* memory_[3] = {};
  void *parts_ = nullptr, *found_ = nullptr;
};

}  // namespace

std::unique_ptr<CudaWork> make_memory_work(CudaContext& context, const MemoryWork& work) {
  auto out = std::make_unique<CudaMemory>(context, work);
  if (!out->ready()) return nullptr;
  return out;
}

}  // namespace roofplan::probe
