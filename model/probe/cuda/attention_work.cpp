#include "model/probe/cuda/attention_check.hpp"
#include "model/probe/cuda/cuda_work.hpp"

#include <algorithm>

namespace roofplan::probe {
namespace {

/// Query heads of one thread block; larger groups read the cache once for each block.
constexpr std::int64_t kRows = 16;

kernels::Attention shape_of(const AttentionWork& w) {
  const std::int64_t group = w.heads / w.kv_heads;
  return {.caches = static_cast<int>(w.batch * w.kv_heads),
          .rows = static_cast<int>(std::min(group, kRows)),
          .depth = static_cast<int>(w.depth),
          .width = static_cast<int>(w.head_dim)};
}

class CudaAttention final : public CudaWork {
 public:
  CudaAttention(CudaContext& context, const AttentionWork& work, int turns)
      : context_(context), shape_(shape_of(work)), turns_(turns) {}

  bool ready() {
    Arena& arena = *context_.arena;
    const kernels::Launch launch = context_.launch();
    queries_ = arena.take(query_bytes());
    out_ = arena.take(query_bytes());
    scratch_ = arena.take(shape_.scratch_bytes(launch.multiprocessors));
    if (queries_ == nullptr || out_ == nullptr || scratch_ == nullptr) return false;
    kernels::fill(launch, queries_, query_bytes(), Pattern::bfloat16, 1);
    for (int turn = 0; turn < turns_; ++turn) {
      for (std::vector<void*>* side : {&keys_, &values_}) {
        side->push_back(arena.take(cache_bytes()));
        if (side->back() == nullptr) return false;
        kernels::fill(launch, side->back(), cache_bytes(), Pattern::bfloat16,
                      static_cast<unsigned>(2 * turn) + (side == &keys_ ? 2 : 3));
      }
    }
    return context_.settled("filling a cache");
  }

  void queue(int turn) override {
    const auto t = static_cast<std::size_t>(turn);
    kernels::attend(context_.launch(), shape_, keys_[t], values_[t], queries_, scratch_, out_);
  }

  bool right() override {
    cudaMemsetAsync(out_, 0xff, static_cast<std::size_t>(query_bytes()), context_.stream.get());
    queue(turns_ - 1);
    if (!context_.settled("checking attention")) return false;
    // The first and the last of all rows.
    return row_right(0, 0) && row_right(shape_.caches - 1, shape_.rows - 1);
  }

 private:
  std::int64_t query_bytes() const { return std::int64_t{2} * shape_.caches * shape_.rows * shape_.width; }
  std::int64_t cache_bytes() const { return std::int64_t{2} * shape_.caches * shape_.depth * shape_.width; }

  bool row_right(std::int64_t cache, std::int64_t row) const {
    const std::int64_t width = shape_.width, length = shape_.depth * width,
                       at = (cache * shape_.rows + row) * width;
    const auto query = fetched(Pattern::bfloat16, queries_, at, width),
               found = fetched(Pattern::bfloat16, out_, at, width);
    const auto keys = fetched(Pattern::bfloat16, keys_.back(), cache * length, length);
    const auto values = fetched(Pattern::bfloat16, values_.back(), cache * length, length);
    if (query.empty() || keys.empty() || values.empty()) return false;
    const auto wide = static_cast<std::size_t>(width);
    return attention_right(found, attended(query, {keys, values, wide, wide, wide}));
  }

  CudaContext& context_;
  kernels::Attention shape_;
  int turns_;
  void *queries_ = nullptr, *out_ = nullptr, *scratch_ = nullptr;
  std::vector<void*> keys_, values_;
};

}  // namespace

Footprint attention_footprint(const AttentionWork& work, int multiprocessors) {
  const kernels::Attention shape = shape_of(work);
  Footprint out;
  out.once =
      std::int64_t{4} * shape.caches * shape.rows * shape.width + shape.scratch_bytes(multiprocessors) + 1024;
  out.per_turn = std::int64_t{4} * shape.caches * shape.depth * shape.width + 512;
  return out;
}

std::unique_ptr<CudaWork> make_attention_work(CudaContext& context, const AttentionWork& work, int turns) {
  auto out = std::make_unique<CudaAttention>(context, work, turns);
  if (!out->ready()) return nullptr;
  return out;
}

}  // namespace roofplan::probe
