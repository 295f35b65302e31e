#pragma once

#include "model/units/quantity.hpp"

namespace roofplan::probe {

using model::Bytes;
using model::BytesPerSecond;
using model::Flop;
using model::FlopPerSecond;
using model::Seconds;

/// Streaming through memory: of a set of `size` bytes that is gone over again and again, the share
/// 1 / (1 + (size / cache)^4) comes at the rate of the last-level cache, the rest at that of memory.
struct StreamLaw {
  BytesPerSecond memory_rate, cache_rate;
  Bytes cache;

  BytesPerSecond rate(Bytes size) const;
};

/// Bandwidth that `threads` threads reach together: each alone reaches `one`, all together at most `all`:
/// ((threads one)^-4 + all^-4)^(-1/4), a smooth minimum.
struct ThreadLaw {
  BytesPerSecond one, all;

  BytesPerSecond rate(double threads) const;
};

/// Matrix products and attention, in the form of model/roofline's evaluate(), so that a step is predicted by
/// what was fitted: launch + sqrt(memory^2 + compute^2) for kernels that read while they compute, launch +
/// memory + compute for those that do one after the other; memory = bytes / rate, compute = FLOP /
/// compute_rate.
struct RooflineLaw {
  Seconds launch = {};
  BytesPerSecond rate = {};
  FlopPerSecond compute_rate = {};
  bool overlaps = true;

  Seconds time(Bytes bytes, Flop flop) const;
};

/// latency + bytes / rate (Hockney, Parallel Computing 20, 1994).
struct CopyLaw {
  Seconds latency;
  BytesPerSecond rate;

  Seconds time(Bytes bytes) const;
};

/// What a product of `m` tokens with `n` x `k` weights moves: the weights, and inputs and outputs in 16 bits
/// as model/roofline counts them.
Bytes product_bytes(double m, double n, double k, Bytes weights);

}  // namespace roofplan::probe
