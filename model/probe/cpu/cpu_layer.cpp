#include "model/probe/cpu/cpu_checks.hpp"
#include "model/probe/cpu/cpu_kernels.hpp"
#include "model/probe/cpu/cpu_probes.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace roofplan::probe {
namespace {

/// Where the vectors of one layer stand in the scratch memory.
struct LayerVectors {
  float *state, *normed, *back, *q, *seen, *wide, *narrow;
};

class LayerRun {
 public:
  LayerRun(CpuArena& arena, const LayerShape& layer, std::int64_t batch, std::int64_t depth)
      : arena_(arena), layer_(layer), batch_(batch), depth_(depth) {
    const std::size_t hidden = rows(layer.hidden), inner = rows(layer.intermediate);
    const std::size_t qkv = rows(layer.matrices()[0].n), heads = rows(layer.heads * layer.head_dim);
    v_.state = arena.scratch(3 * hidden + qkv + heads + 3 * inner);
    v_.normed = v_.state + hidden;
    v_.back = v_.normed + hidden;
    v_.q = v_.back + hidden;
    v_.seen = v_.q + qkv;
    v_.wide = v_.seen + heads;
    v_.narrow = v_.wide + 2 * inner;
    // The same start for every run: a residual stream that grows would end in numbers out of range.
    std::copy_n(arena.data(), hidden, v_.state);
  }

  Seconds run() {
    ThreadPool& pool = arena_.pool();
    const std::size_t hidden = rows(layer_.hidden), inner = rows(layer_.intermediate);
    Seconds time = rms_norm(pool, v_.state, v_.normed, batch_, layer_.hidden);
    time += times_weights(0, v_.normed, v_.q);
    const float* cache = arena_.next(static_cast<std::size_t>(layer_.cache_elements(batch_, depth_)));
    time += attention(pool, layer_, cache, v_.q, v_.seen, batch_, depth_);
    time += times_weights(1, v_.seen, v_.back);
    time += add(pool, v_.back, v_.state, hidden);
    time += rms_norm(pool, v_.state, v_.normed, batch_, layer_.hidden);
    time += times_weights(2, v_.normed, v_.wide);
    time += gated(pool, v_.wide, v_.wide + inner, v_.narrow, inner);
    time += times_weights(3, v_.narrow, v_.back);
    return time + add(pool, v_.back, v_.state, hidden);
  }

  /// Whether the last product is that of its weights and inputs, and no number is out of range.
  bool right() const {
    const LayerShape::Matrix down = layer_.matrices()[3];
    return is_product(last_, v_.narrow, v_.back, batch_, down.n, down.k) && v_.state[0] - v_.state[0] == 0.0F;
  }

 private:
  std::size_t rows(std::int64_t width) const { return static_cast<std::size_t>(batch_ * width); }
  Seconds times_weights(std::size_t i, const float* x, float* y) {
    const LayerShape::Matrix m = layer_.matrices()[i];
    last_ = arena_.next(static_cast<std::size_t>(m.elements()));
    return product(arena_.pool(), last_, x, y, batch_, m.n, m.k);
  }

  CpuArena& arena_;
  LayerShape layer_;
  std::int64_t batch_, depth_;
  LayerVectors v_{};
  const float* last_ = nullptr;
};

}  // namespace

Probe layer_probe(const std::shared_ptr<CpuArena>& arena, const std::string& model, const LayerShape& layer,
                  std::int64_t batch, std::int64_t depth) {
  const auto right = std::make_shared<bool>(true);
  return {"replay",
          {{"model", model}, {"batch", fmt::format("{}", batch)}, {"depth", fmt::format("{}", depth)}},
          "us",
          0,
          [=] {
            LayerRun run(*arena, layer, batch, depth);
            const Seconds time = run.run();
            *right = *right && run.right();
            return time;
          },
          [=] { return *right; }};
}

}  // namespace roofplan::probe
