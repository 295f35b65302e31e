#include "model/roofline/laws/split_kv.hpp"

#include "model/roofline/laws/tile_math.hpp"

namespace roofplan::model {
namespace {

double parts_of(const SplitKvWork& work, const SplitKvKernel& kernel, double sms) {
  const double by_tokens = work.tokens_held / kernel.split_chunk;
  const double by_units = kernel.split_waves * sms / work.units;
  switch (kernel.rule) {
    case SplitRule::none:
      return 1.0;
    case SplitRule::whole_chunks:
      return std::max(1.0, std::floor(std::min(by_tokens, by_units)));
    case SplitRule::any_chunks:
      return std::max(1.0, std::min(round_up(by_tokens), round_up(by_units)));
  }
  return 1.0;
}

/// Bytes from DRAM, or from the L2 where the set fits.
double memory_seconds(double bytes, double reread, const SplitKvKernel& kernel, CacheState cache) {
  const double cold = bytes / kernel.memory_rate.base();
  const double hot = cold / kernel.l2_gain;
  if (cache == CacheState::cold) return std::max(cold, hot * reread);
  return std::max(hot + (cold - hot) * share_from_dram(bytes, kernel.l2_size.base()), hot * reread);
}

}  // namespace

Seconds split_kv_time(const SplitKvWork& work, const SplitKvKernel& kernel, int sm_count, CacheState cache) {
  const double slots = static_cast<double>(sm_count) * kernel.blocks_per_sm / kernel.cluster;
  const double tiles = tile_count(work.tokens_read, kernel.token_tile);
  const double launched = parts_of(work, kernel, sm_count);
  const double tiles_of_part = round_up(tiles / std::min(launched, tiles));
  const double parts = round_up(tiles / tiles_of_part);

  const double tile_bytes = kernel.token_tile * work.bytes_per_token;
  const double matrix = kernel.matrix_tile.base() * (kernel.token_tile / 128.0) * (work.width / 128.0) *
                        (work.query_rows / 16.0);
  const double tile_time = std::max(tile_bytes / kernel.block_rate.base(), matrix);
  const double busy = waves(work.units * parts, slots, kernel.wave_smoothing);
  const double all = waves(work.units * std::max(launched, parts), slots, kernel.wave_smoothing);
  const double latency = busy * (kernel.block_setup.base() + tiles_of_part * tile_time) +
                         (all - busy) * kernel.empty_block.base();

  const double memory = memory_seconds(work.distinct_units * tiles * tile_bytes,
                                       work.units / work.distinct_units, kernel, cache);
  const double reduction = parts > 1.0 ? kernel.reduction.base() * std::log2(1.0 + parts) : 0.0;
  return Seconds::from_base(kernel.launch.base() + overlapped(latency, memory) +
                            work.query_bytes / kernel.query_rate.base() + reduction);
}

}  // namespace roofplan::model
