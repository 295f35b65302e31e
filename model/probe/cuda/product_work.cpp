#include "model/probe/cuda/cuda_work.hpp"
#include "model/probe/cuda/number_bits.hpp"
#include "model/probe/cuda/product.hpp"

#include <algorithm>
#include <cmath>

namespace roofplan::probe {
namespace {

std::int64_t bytes_of(Pattern pattern, std::int64_t count) {
  return (count * bits_of(pattern) / 8 + 15) / 16 * 16;
}
/// Scales of blocks in tiles of 128 rows by 4 blocks, as the library lays them out.
std::int64_t scale_bytes(const ProductWork& w) {
  const std::int64_t block = w.format == ProductWork::Format::nvfp4 ? 16 : 32;
  const std::int64_t rows = (std::max(w.m, w.n) + 127) / 128 * 128, blocks = (w.k / block + 3) / 4 * 4;
  return rows * blocks;
}
std::int64_t output_bytes(const ProductTypes& types, const ProductWork& w) {
  return bytes_of(types.output_pattern, w.m * w.n);
}

class CudaProduct final : public CudaWork {
 public:
  CudaProduct(CudaContext& context, const ProductWork& work, int turns)
      : context_(context), work_(work), types_(product_types(work.format)), turns_(turns) {}

  bool ready() {
    Arena& arena = *context_.arena;
    const kernels::Launch launch = context_.launch();
    const std::int64_t x_bytes = bytes_of(types_.pattern, work_.m * work_.k);
    x_ = arena.take(x_bytes);
    y_ = arena.take(output_bytes(types_, work_));
    if (x_ == nullptr || y_ == nullptr) return false;
    kernels::fill(launch, x_, x_bytes, types_.pattern, 1);
    if (work_.quantises) {
      wide_ = arena.take(2 * work_.m * work_.k);
      if (wide_ == nullptr) return false;
      kernels::fill(launch, wide_, 2 * work_.m * work_.k, Pattern::bfloat16, 2);
    }
    void* scales = nullptr;
    if (types_.scale != lt::ScaleMode::whole) {
      scales = arena.take(scale_bytes(work_));
      if (scales == nullptr) return false;
      kernels::fill(launch, scales, scale_bytes(work_), types_.scale_pattern, 0);
    }
    const std::int64_t w_bytes = bytes_of(types_.pattern, work_.n * work_.k);
    for (int turn = 0; turn < turns_; ++turn) {
      w_.push_back(arena.take(w_bytes));
      if (w_.back() == nullptr) return false;
      kernels::fill(launch, w_.back(), w_bytes, types_.pattern, 3 + static_cast<unsigned>(turn));
    }
    if (!context_.settled("filling matrices")) return false;
    product_ = LtProduct::make(context_, work_.format, work_.m, work_.n, work_.k, 1, scales);
    if (!product_) return false;
    int turn = 0;
    return product_->choose([&] { queue(turn++ % turns_); });
  }

  void queue(int turn) override {
    if (work_.quantises) quantise();
    product_->queue(x_, w_[static_cast<std::size_t>(turn)], y_);
  }

  bool right() override {
    cudaMemsetAsync(y_, 0xff, static_cast<std::size_t>(output_bytes(types_, work_)), context_.stream.get());
    queue(turns_ - 1);
    if (!context_.settled("checking a product")) return false;
    return product_right(types_, x_, w_.back(), y_, work_.m, work_.n, work_.k) &&
           (!work_.quantises || quantised_right());
  }

 private:
  void quantise() {
    const bool fp8 = work_.format == ProductWork::Format::fp8;
    (fp8 ? kernels::to_fp8 : kernels::to_int8)(context_.launch(), wide_, x_, work_.m * work_.k);
  }
  bool quantised_right() const {
    const bool fp8 = work_.format == ProductWork::Format::fp8;
    const std::int64_t count = std::min<std::int64_t>(4096, work_.m * work_.k);
    const auto from = fetched(Pattern::bfloat16, wide_, 0, count), to = fetched(types_.pattern, x_, 0, count);
    for (std::size_t i = 0; i < from.size() && i < to.size(); ++i) {
      const double wanted = fp8 ? from[i] : 127 * from[i];
      // Half a step: of three bits of mantissa, or of a whole number.
      const double allowed = fp8 ? std::abs(wanted) / 16 + 1.0 / 1024 : 0.5;
      if (!(std::abs(to[i] - wanted) <= allowed)) return false;
    }
    return !from.empty() && from.size() == to.size();
  }

  CudaContext& context_;
  ProductWork work_;
  ProductTypes types_;
  int turns_;
  void *x_ = nullptr, *y_ = nullptr, *wide_ = nullptr;
  std::vector<void*> w_;
  std::optional<LtProduct> product_;
};

}  // namespace

Footprint product_footprint(const ProductWork& work) {
  const ProductTypes types = product_types(work.format);
  Footprint out;
  out.once = bytes_of(types.pattern, work.m * work.k) + output_bytes(types, work) + 1024;
  if (work.quantises) out.once += 2 * work.m * work.k;
  if (types.scale != lt::ScaleMode::whole) out.once += scale_bytes(work);
  out.per_turn = bytes_of(types.pattern, work.n * work.k) + 256;
  return out;
}

std::unique_ptr<CudaWork> make_product_work(CudaContext& context, const ProductWork& work, int turns) {
  auto out = std::make_unique<CudaProduct>(context, work, turns);
  if (!out->ready()) return nullptr;
  return out;
}

}  // namespace roofplan::probe
