#include "model/roofline/laws/expert_gemm.hpp"

#include "model/roofline/laws/tile_math.hpp"

#include <array>
#include <limits>

namespace roofplan::model {
namespace {

constexpr std::array<double, 4> kRows{16, 32, 64, 128};
constexpr double kColumns = 128;
/// Weights stream from the L2 at 2 to 4 times the speed of DRAM, by chip and format.
constexpr double kL2Gain = 3.0;

/// Tiles of one height that hold the tokens, and what a step of one element along k takes in them.
struct Tiling {
  double down, step;
};
using Tilings = std::array<Tiling, kRows.size()>;

/// An expert with few tokens has one tile; with many, its last one is half empty on average.
double tiles_of(double tokens, double distinct, double rows) {
  const double filled = tokens / (distinct * rows);
  return distinct * (filled + 0.5 + 0.5 / ((1.0 + filled) * (1.0 + filled)));
}

Tilings tilings_of(double tokens, double distinct, const ExpertGemmLaw& law) {
  Tilings out;
  const double s_per_flop = law.sm_count / law.matrix_rate.base();
  const double s_per_byte = 1.0 / law.sm_rate.base();
  for (std::size_t i = 0; i < kRows.size(); ++i) {
    out[i] = {tiles_of(tokens, distinct, kRows[i]),
              std::max({2.0 * kRows[i] * kColumns * s_per_flop,
                        (kRows[i] * law.input_bytes + kColumns * law.weight_bytes) * s_per_byte,
                        law.k_step.base()})};
  }
  return out;
}

/// Fastest tiling of the product of every expert's tokens with its matrix of k x n.
double core_seconds(double n, double k, const Tilings& tilings, const ExpertGemmLaw& law) {
  const double across = tile_count(n, kColumns);
  double best = std::numeric_limits<double>::infinity();
  for (const Tiling& tiling : tilings) {
    best = std::min(
        best, waves(tiling.down * across, law.sm_count, 0.0) * (k * tiling.step + law.tile_setup.base()));
  }
  return best;
}

}  // namespace

Seconds expert_gemm_time(const ExpertGemmShape& shape, const ExpertGemmLaw& law, CacheState cache) {
  const double into = (shape.gated ? 2.0 : 1.0) * shape.inner;
  const double distinct = shape.load.distinct_experts, routed = shape.load.routed_tokens;
  const Tilings tilings = tilings_of(law.multiplies_all ? shape.tokens * shape.top_k : routed, distinct, law);
  const double bytes = distinct * shape.hidden * law.weight_bytes;
  const double s_per_byte =
      warm_share(bytes * (into + shape.inner), law.l2_size.base(), kL2Gain, cache) / law.memory_rate.base();
  const double products =
      overlapped(core_seconds(into, shape.hidden, tilings, law), bytes * into * s_per_byte) +
      overlapped(core_seconds(shape.hidden, shape.inner, tilings, law), bytes * shape.inner * s_per_byte);
  const double moved = routed * (law.routed_bytes * shape.hidden + 4.0 * shape.inner) +
                       shape.tokens * shape.top_k * law.token_bytes * shape.hidden;
  return Seconds::from_base(law.launch.base() + products + moved / law.memory_rate.base() +
                            law.per_local_expert.base() * shape.local_experts +
                            law.per_token_doubling.base() * std::log2(1.0 + shape.tokens));
}

}  // namespace roofplan::model
