#include "model/probe/cuda/cuda_work.hpp"

#include <cmath>

namespace roofplan::probe {
namespace {

class CudaElementwise final : public CudaWork {
 public:
  CudaElementwise(CudaContext& context, const ElementwiseWork& work) : context_(context), work_(work) {}

  bool ready() {
    const std::int64_t bytes = 2 * work_.rows * work_.width;
    for (void*& memory : memory_) {
      memory = context_.arena->take(bytes);
      if (memory == nullptr) return false;
    }
    // For gates the first two lie one behind the other, as a row of twice the width needs.
    both_ = context_.arena->take(2 * bytes);
    if (both_ == nullptr) return false;
    unsigned seed = 1;
    for (void* memory : memory_) kernels::fill(context_.launch(), memory, bytes, Pattern::bfloat16, seed++);
    kernels::fill(context_.launch(), both_, 2 * bytes, Pattern::bfloat16, seed);
    return context_.settled("filling activations");
  }

  void queue(int) override {
    const auto rows = static_cast<int>(work_.rows), width = static_cast<int>(work_.width);
    if (work_.kind == ElementwiseWork::Kind::norm) {
      kernels::add_and_norm(context_.launch(), memory_[0], memory_[1], memory_[2], memory_[3], rows, width);
    } else {
      kernels::gate_up(context_.launch(), both_, memory_[3], rows, width);
    }
  }

  bool right() override {
    cudaMemsetAsync(memory_[3], 0xff, static_cast<std::size_t>(2 * work_.rows * work_.width),
                    context_.stream.get());
    queue(0);
    if (!context_.settled("checking activations")) return false;
    // The last row.
    const std::int64_t width = work_.width, at = (work_.rows - 1) * width;
    const auto found = fetched(Pattern::bfloat16, memory_[3], at, width);
    const auto wanted = work_.kind == ElementwiseWork::Kind::norm ? normed(at) : gated(at);
    if (found.size() != wanted.size() || found.empty()) return false;
    for (std::size_t i = 0; i < found.size(); ++i) {
      if (!(std::abs(found[i] - wanted[i]) <= 0.004 + std::abs(wanted[i]) / 64)) return false;
    }
    return true;
  }

 private:
  std::vector<double> normed(std::int64_t at) const {
    auto x = fetched(Pattern::bfloat16, memory_[0], at, work_.width);
    const auto residual = fetched(Pattern::bfloat16, memory_[1], at, work_.width);
    double square = 0;
    for (std::size_t i = 0; i < x.size() && i < residual.size(); ++i) {
      x[i] += residual[i];
      square += x[i] * x[i];
    }
    for (double& v : x) v /= std::sqrt(square / static_cast<double>(x.size()));
    return x;
  }
  std::vector<double> gated(std::int64_t at) const {
    const auto row = fetched(Pattern::bfloat16, both_, 2 * at, 2 * work_.width);
    std::vector<double> out;
    for (std::size_t i = 0; i < row.size() / 2; ++i)
      out.push_back(row[i] / (1 + std::exp(-row[i])) * row[i + row.size() / 2]);
    return out;
  }

  CudaContext& context_;
  ElementwiseWork work_;
  void* memory_[4] = {};
  void* both_ = nullptr;
};

}  // namespace

std::unique_ptr<CudaWork> make_elementwise_work(CudaContext& context, const ElementwiseWork& work) {
  auto out = std::make_unique<CudaElementwise>(context, work);
  if (!out->ready()) return nullptr;
  return out;
}

}  // namespace roofplan::probe
