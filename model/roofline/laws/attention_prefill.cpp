#include "model/roofline/laws/attention_prefill.hpp"

#include "model/roofline/laws/tile_math.hpp"

namespace roofplan::model {

const PrefillKernel& AttentionPrefillLaw::kernel(double head_dim) const {
  for (const PrefillKernel& k : kernels) {
    if (head_dim <= k.largest_head_dim) return k;
  }
  return kernels.back();
}

double visited_tiles(const AttentionPrefillShape& shape, double query_tile, double kv_tile,
                     double extra_window_tiles) {
  const double ratio = query_tile / kv_tile;
  const double queries = tile_count(shape.tokens, query_tile);
  const double before = tile_count(shape.context, kv_tile);
  const double last = tile_count(shape.tokens, kv_tile);
  // Query tile i sees `before + (i + 1) ratio` tiles, the last one up to the end.
  const double seen = queries * before + ratio * (queries - 1.0) * queries / 2.0 + last;
  if (shape.window <= 0.0) return seen;
  // It skips max(0, before + i ratio - reach), an arithmetic series from the first positive term.
  const double reach = tile_count(shape.window - 1.0, kv_tile) + extra_window_tiles - before;
  const double first = std::max(0.0, round_up(reach / ratio));
  const double skipping = std::max(0.0, queries - first);
  return seen - skipping * (ratio * (first + queries - 1.0) / 2.0 - reach);
}

Seconds attention_prefill_time(const AttentionPrefillShape& shape, const AttentionPrefillLaw& law) {
  const PrefillKernel& kernel = law.kernel(shape.head_dim);
  const double kv_tile = kernel.kv_tile;
  const double query_tile =
      std::max(kv_tile, shape.head_dim > kernel.halved_above ? kernel.query_tile / 2.0 : kernel.query_tile);
  const double sms = law.sm_count;
  const double tile =
      overlapped(4.0 * query_tile * kv_tile * shape.head_dim * sms / kernel.matrix_rate.base(),
                 query_tile * kv_tile / (kernel.exponentials_per_ns * 1e9));

  const double heads = shape.batch * shape.heads;
  const double tasks = heads * tile_count(shape.tokens, query_tile);
  const double setup = kernel.task_setup.base();
  const double work =
      heads * visited_tiles(shape, query_tile, kv_tile, kernel.extra_window_tiles) * tile + tasks * setup;
  const double rounds = tasks / sms;
  const double unevenness = rounds <= 1.0 ? 1.0 : waves(tasks, sms, kernel.wave_smoothing) / rounds;
  const double average = work / sms * unevenness;

  double longest = tile_count(shape.tokens + shape.context, kv_tile);
  if (shape.window > 0.0) {
    longest = std::min(
        longest, tile_count(shape.window - 1.0, kv_tile) + kernel.extra_window_tiles + query_tile / kv_tile);
  }
  const double chain = longest * tile * kernel.chain + setup;
  const double core = std::sqrt(overlapped(average * average, chain * chain));

  const double io_bytes = shape.batch * shape.tokens * shape.head_dim *
                          ((shape.heads + 2.0 * shape.kv_heads) * 2.0 + shape.heads * law.input_bytes +
                           2.0 * shape.kv_heads * law.kv_bytes + 2.0 * shape.heads);
  return Seconds::from_base(kernel.launch.base() + core + io_bytes / kernel.io_rate.base());
}

}  // namespace roofplan::model
