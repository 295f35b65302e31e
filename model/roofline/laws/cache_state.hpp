#pragma once

#include <cstdint>

namespace roofplan::model {

/// Where the data of a kernel is when it starts. Benchmarks that repeat a launch find small caches and
/// weights in the L2; in a serving step the other weights have flushed it.
enum class CacheState : std::uint8_t { warm, cold };

/// Share of a warm set of `bytes` that comes from DRAM when an L2 of `l2_bytes` holds what fits; the switch
/// is steep.
inline double share_from_dram(double bytes, double l2_bytes) {
  const double z2 = (bytes / l2_bytes) * (bytes / l2_bytes);
  const double z8 = z2 * z2 * z2 * z2;
  return z8 < 1e12 ? z8 / (1.0 + z8) : 1.0;
}

/// What a warm L2, `gain` times as fast as the DRAM behind it, makes of the time that weights take from DRAM;
/// `l2_bytes` zero: it keeps none of them.
inline double warm_share(double bytes, double l2_bytes, double gain, CacheState cache) {
  if (cache == CacheState::cold || l2_bytes <= 0.0) return 1.0;
  const double cold = share_from_dram(bytes, l2_bytes);
  return cold + (1.0 - cold) / gain;
}

}  // namespace roofplan::model
