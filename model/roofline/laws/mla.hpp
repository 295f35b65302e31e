#pragma once

#include "model/roofline/laws/attention_prefill.hpp"
#include "model/roofline/laws/split_kv.hpp"

namespace roofplan::model {

/// Width of the latent cache of multi-head latent attention as DeepSeek has it: 512 latent and 64 rotary
/// elements per token and layer (DeepSeek-V2, arXiv:2405.04434).
inline constexpr double kMlaLatent = 512, kMlaRotary = 64, kMlaCacheWidth = kMlaLatent + kMlaRotary;
/// Mean of the 192 wide keys and the 128 wide values that it is expanded to.
inline constexpr double kMlaExpandedWidth = 160;

/// One new token per sequence against the latent cache (absorbed form), one layer, on one device.
struct MlaDecodeShape {
  double batch = 1;
  double kv_len = 0;  ///< tokens in the cache before the step
  double heads = 1;   ///< on this device
};

struct MlaDecodeLaw {
  int sm_count = 1;
  double kv_bytes = 2;         ///< per element of the cache as the kernel reads it
  int narrow_block_up_to = 0;  ///< up to so many heads a thread block takes 16 heads only; 0: never
  SplitKvKernel kernel = {};
};

Seconds mla_decode_time(const MlaDecodeShape& shape, const MlaDecodeLaw& law,
                        CacheState cache = CacheState::cold);

/// New tokens against themselves, keys and values expanded from the latent cache (192 and 128 wide).
struct MlaPrefillShape {
  double batch = 1;
  double tokens = 1;
  double context = 0;
  double heads = 1;
};

Seconds mla_prefill_time(const MlaPrefillShape& shape, const AttentionPrefillLaw& law);

}  // namespace roofplan::model
