#include "model/roofline/laws/expert_gemm.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace roofplan::model {
namespace {

constexpr std::array<double, 6> kRows{8, 16, 32, 64, 128, 256};

/// Rows of whole tiles, with their overhead, that hold `routed` tokens of `distinct` experts. An expert with
/// few tokens has one tile; with many, its last one is half empty on average.
double padded_rows(double routed, double distinct, double overhead) {
  double best = std::numeric_limits<double>::infinity();
  for (const double rows : kRows) {
    const double filled = routed / (distinct * rows);
    const double tiles = filled + 0.5 + 0.5 / ((1.0 + filled) * (1.0 + filled));
    best = std::min(best, distinct * tiles * (rows + overhead));
  }
  return best;
}

}  // namespace

Seconds expert_gemm_time(const ExpertGemmShape& shape, const ExpertGemmLaw& law) {
  const double elements = (shape.gated ? 3.0 : 2.0) * shape.hidden * shape.inner;
  const double distinct = shape.load.distinct_experts, routed = shape.load.routed_tokens;
  const double multiplied = law.multiplies_all ? shape.tokens * shape.top_k : routed;
  const double memory = distinct * elements * law.weight_bytes / law.memory_rate.base();
  const double matrix =
      2.0 * elements * padded_rows(multiplied, distinct, law.tile_overhead) / law.matrix_rate.base();
  const double depth = law.depth_step.base() * (shape.hidden + shape.inner);
  const double overlap = memory * memory + matrix * matrix;
  const double core = std::cbrt(overlap * std::sqrt(overlap) + depth * depth * depth);
  const double moved = routed * (law.routed_bytes * shape.hidden + 4.0 * shape.inner) +
                       shape.tokens * shape.top_k * law.token_bytes * shape.hidden;
  return Seconds::from_base(law.launch.base() + core + moved / law.memory_rate.base() +
                            law.per_local_expert.base() * shape.local_experts +
                            law.per_distinct_expert.base() * distinct +
                            law.per_token_doubling.base() * std::log2(1.0 + shape.tokens));
}

}  // namespace roofplan::model
