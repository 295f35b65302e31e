#include "model/roofline/laws/gemm.hpp"

#include "model/roofline/laws/tile_math.hpp"

#include <array>
#include <limits>
#include <span>

namespace roofplan::model {
namespace {

constexpr std::array<double, 5> kRows{16, 32, 64, 128, 256};
constexpr std::array<double, 4> kDoubling{32, 64, 128, 256};
constexpr std::array<double, 10> kFine{16, 32, 48, 64, 96, 128, 160, 192, 224, 256};

/// A kernel of this length runs half of the throttle slower.
constexpr double kThrottleSeconds = 400e-6;
/// Weights stream from the L2 of RTX PRO 6000 at 1.3 to 2.0 times the speed of its DRAM, by format.
constexpr double kL2Gain = 2.0;
/// Partial sums are written and read back through the L2, at about twice the speed of the DRAM.
constexpr double kPartialSumSpeed = 2.0;

std::span<const double> row_menu(TileRows rows) {
  switch (rows) {
    case TileRows::only_128:
      return std::span(kRows).subspan(3, 1);
    case TileRows::from_128:
      return std::span(kRows).subspan(3);
    case TileRows::from_16:
      break;
  }
  return kRows;
}

std::span<const double> column_menu(TileColumns columns) {
  return columns == TileColumns::doubling ? std::span<const double>(kDoubling) : kFine;
}

/// The law with its rates turned into seconds per unit of work of one SM.
struct Core {
  double k, sms, s_per_flop, s_per_byte, setup, k_step, floor_per_element, split_setup, split_bytes_s,
      smoothing, weight_bytes, input_bytes;
  int largest_split;

  /// Fastest split of k for `tiles` tiles of rows x columns.
  double time(double rows, double columns, double tiles) const {
    const double step = std::max({2.0 * rows * columns * s_per_flop,
                                  (rows * input_bytes + columns * weight_bytes) * s_per_byte, k_step});
    const double floor = floor_per_element * rows * columns;
    double best = waves(tiles, sms, smoothing) * (std::max(k * step, floor) + setup);
    // Splitting helps only while SMs would idle.
    for (int s = 2; s <= largest_split && tiles * s < 2.0 * sms; s *= 2) {
      const double parts = waves(tiles * s, sms, smoothing) * (std::max(k / s * step, floor) + setup);
      best = std::min(best, parts + split_setup + split_bytes_s * s);
    }
    return best;
  }
};

Core core_of(const GemmShape& shape, const GemmLaw& law) {
  const double sms = law.sm_count;
  return {.k = shape.k,
          .sms = sms,
          .s_per_flop = sms / law.matrix_rate.base(),
          .s_per_byte = 1.0 / law.sm_rate.base(),
          .setup = law.tile_setup.base(),
          .k_step = law.k_step.base(),
          .floor_per_element = law.tile_floor.base() / (128.0 * 256.0),
          .split_setup = law.split_setup.base(),
          .split_bytes_s = 8.0 * shape.m * shape.n / (kPartialSumSpeed * law.memory_rate.base()),
          .smoothing = law.wave_smoothing,
          .weight_bytes = law.weight_bytes,
          .input_bytes = law.input_bytes,
          .largest_split = law.largest_split};
}

double fastest_tiling(const GemmShape& shape, const GemmLaw& law) {
  const Core core = core_of(shape, law);
  const std::span<const double> column_tiles = column_menu(law.columns);
  double best = std::numeric_limits<double>::infinity();
  for (const double rows : row_menu(law.rows)) {
    const double down = tile_count(shape.m, rows);
    for (const double columns : column_tiles) {
      best = std::min(best, core.time(rows, columns, down * tile_count(shape.n, columns)));
      if (columns >= shape.n) break;
    }
    if (rows >= shape.m) break;  // a taller tile covers the same with more work
  }
  return best;
}

}  // namespace

Seconds gemm_time(const GemmShape& shape, const GemmLaw& law, CacheState cache) {
  const double weights = shape.n * shape.k * law.weight_bytes;
  const double bytes = weights * warm_share(weights, law.l2_size.base(), kL2Gain, cache) +
                       shape.m * shape.k * law.input_bytes + 2.0 * shape.m * shape.n;
  const double memory = bytes / law.memory_rate.base();
  if (shape.m <= law.vector_rows) {
    const double vector = 2.0 * shape.m * shape.n * shape.k / law.vector_rate.base();
    return Seconds::from_base(law.vector_launch.base() + overlapped(vector, memory));
  }
  double core = fastest_tiling(shape, law);
  core *= 1.0 + law.throttle * core / (core + kThrottleSeconds);
  const double quantise =
      law.quantises
          ? shape.m * (shape.k * (2.0 + law.input_bytes) / law.quantise_rate.base() + law.row_setup.base())
          : 0.0;
  return Seconds::from_base(law.launch.base() + quantise + overlapped(core, memory));
}

}  // namespace roofplan::model
