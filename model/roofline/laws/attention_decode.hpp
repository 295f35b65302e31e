#pragma once

#include "model/roofline/laws/split_kv.hpp"

namespace roofplan::model {

/// One new token per sequence against its cache, one layer, on one device.
struct AttentionDecodeShape {
  double batch = 1;
  double kv_len = 0;  ///< tokens in the cache before the step
  double heads = 1, kv_heads = 1;
  double head_dim = 128;
  double window = 0;  ///< tokens seen; 0: all
};

/// Which kernel an engine takes.
enum class DecodePath : std::uint8_t {
  equal_heads,  ///< as many key-value heads as query heads
  grouped,      ///< a group of query heads shares one read of the cache
  per_head,     ///< each query head reads the cache for itself
};

/// Decode attention of one chip and cache format. Engines have three kernels; which one runs is a rule, not a
/// choice by speed: more than 32 query heads per key-value head fall back to per_head, and with the few-block
/// rule so do launches of fewer than a quarter block per SM, counting 128 cached tokens as a block.
struct AttentionDecodeLaw {
  int sm_count = 1;
  double kv_bytes = 2;                                        ///< per element of the cache
  bool few_blocks_grouped = false, few_blocks_equal = false;  ///< which of the paths that rule leaves
  SplitKvKernel equal_heads = {}, grouped = {}, per_head = {};

  DecodePath path(const AttentionDecodeShape& shape) const;
  const SplitKvKernel& kernel(DecodePath path) const;
};

/// Time of one launch. The source of form and rules is aiconfigurator-kernels (TensorRT-LLM operators).
Seconds attention_decode_time(const AttentionDecodeShape& shape, const AttentionDecodeLaw& law,
                              CacheState cache = CacheState::cold);

}  // namespace roofplan::model
