#include "model/probe/cuda/attention_check.hpp"
#include "model/probe/cuda/cuda_work.hpp"
#include "model/probe/cuda/product.hpp"

#include <cmath>

namespace roofplan::probe {
namespace {

/// Attention as two batched products with a softmax between them, for widths that attend() has not and for
/// latent caches (DeepSeek-V2, arXiv:2405.04434, section 2.1.3), whose values are the first numbers of each
/// cached row.
struct ProductAttention {
  std::int64_t caches, rows, depth, key_width, value_width;
  bool shared;  ///< values lie in the rows of the keys

  explicit ProductAttention(const AttentionWork& w)
      : caches(w.batch * w.kv_heads),
        rows(w.heads / w.kv_heads),
        depth(w.depth),
        key_width(w.head_dim),
        value_width(w.latent > 0 ? w.latent : w.head_dim),
        shared(w.latent > 0) {}

  std::int64_t value_stride() const { return shared ? key_width : value_width; }
  std::int64_t query_bytes() const { return 2 * caches * rows * key_width; }
  std::int64_t score_bytes() const { return 2 * caches * rows * depth; }
  std::int64_t out_bytes() const { return 2 * caches * rows * value_width; }
  std::int64_t key_bytes() const { return 2 * caches * depth * key_width; }
  std::int64_t value_bytes() const { return shared ? 0 : 2 * caches * depth * value_width; }
};

class CudaProductAttention final : public CudaWork {
 public:
  CudaProductAttention(CudaContext& context, const AttentionWork& work, int turns)
      : context_(context), shape_(work), turns_(turns) {}

  bool ready() {
    Arena& arena = *context_.arena;
    const kernels::Launch launch = context_.launch();
    queries_ = arena.take(shape_.query_bytes());
    scores_ = arena.take(shape_.score_bytes());
    out_ = arena.take(shape_.out_bytes());
    if (queries_ == nullptr || scores_ == nullptr || out_ == nullptr) return false;
    kernels::fill(launch, queries_, shape_.query_bytes(), Pattern::bfloat16, 1);
    for (int turn = 0; turn < turns_; ++turn) {
      keys_.push_back(filled(shape_.key_bytes(), static_cast<unsigned>(2 * turn) + 2));
      values_.push_back(shape_.shared ? keys_.back()
                                      : filled(shape_.value_bytes(), static_cast<unsigned>(2 * turn) + 3));
      if (keys_.back() == nullptr || values_.back() == nullptr) return false;
    }
    if (!context_.settled("filling a cache")) return false;
    const auto format = ProductWork::Format::bfloat16;
    score_ = LtProduct::make(context_, format, shape_.rows, shape_.depth, shape_.key_width, shape_.caches);
    weigh_ = LtProduct::make(context_, format, shape_.rows, shape_.value_width, shape_.depth, shape_.caches,
                             nullptr, shape_.value_stride());
    if (!score_ || !weigh_) return false;
    int turn = 0;
    const auto next = [&] { return static_cast<std::size_t>(turn++ % turns_); };
    return score_->choose([&] { score_->queue(queries_, keys_[next()], scores_); }) &&
           weigh_->choose([&] { weigh_->queue(scores_, values_[next()], out_); });
  }

  void queue(int turn) override {
    const auto t = static_cast<std::size_t>(turn);
    score_->queue(queries_, keys_[t], scores_);
    kernels::softmax_rows(context_.launch(), scores_, static_cast<int>(shape_.caches * shape_.rows),
                          static_cast<int>(shape_.depth),
                          1.0f / std::sqrt(static_cast<float>(shape_.key_width)));
    weigh_->queue(scores_, values_[t], out_);
  }

  bool right() override {
    cudaMemsetAsync(out_, 0xff, static_cast<std::size_t>(shape_.out_bytes()), context_.stream.get());
    queue(turns_ - 1);
    if (!context_.settled("checking attention")) return false;
    return row_right(0, 0) && row_right(shape_.caches - 1, shape_.rows - 1);
  }

 private:
  void* filled(std::int64_t bytes, unsigned seed) {
    void* memory = context_.arena->take(bytes);
    if (memory != nullptr) kernels::fill(context_.launch(), memory, bytes, Pattern::bfloat16, seed);
    return memory;
  }

  bool row_right(std::int64_t cache, std::int64_t row) const {
    const std::int64_t at = cache * shape_.rows + row;
    const auto numbers = [](const void* from, std::int64_t first, std::int64_t count) {
      return fetched(Pattern::bfloat16, from, first, count);
    };
    const std::int64_t keys = shape_.depth * shape_.key_width, values = shape_.depth * shape_.value_stride();
    const CacheRows rows{
        numbers(keys_.back(), cache * keys, keys), numbers(values_.back(), cache * values, values),
        static_cast<std::size_t>(shape_.key_width), static_cast<std::size_t>(shape_.value_width),
        static_cast<std::size_t>(shape_.value_stride())};
    const auto query = numbers(queries_, at * shape_.key_width, shape_.key_width);
    if (query.empty() || rows.keys.empty() || rows.values.empty()) return false;
    return attention_right(numbers(out_, at * shape_.value_width, shape_.value_width), attended(query, rows));
  }

  CudaContext& context_;
  ProductAttention shape_;
  int turns_;
  void *queries_ = nullptr, *scores_ = nullptr, *out_ = nullptr;
  std::vector<void*> keys_, values_;
  std::optional<LtProduct> score_, weigh_;
};

}  // namespace

Footprint product_attention_footprint(const AttentionWork& work) {
  const ProductAttention shape(work);
  return {shape.query_bytes() + shape.score_bytes() + shape.out_bytes() + 1024,
          shape.key_bytes() + shape.value_bytes() + 512};
}

std::unique_ptr<CudaWork> make_product_attention_work(CudaContext& context, const AttentionWork& work,
                                                      int turns) {
  auto out = std::make_unique<CudaProductAttention>(context, work, turns);
  if (!out->ready()) return nullptr;
  return out;
}

}  // namespace roofplan::probe
