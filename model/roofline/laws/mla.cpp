#include "model/roofline/laws/mla.hpp"

#include "model/roofline/laws/tile_math.hpp"

namespace roofplan::model {
namespace {

constexpr double kNarrowBlock = 16;

}  // namespace

Seconds mla_decode_time(const MlaDecodeShape& shape, const MlaDecodeLaw& law, CacheState cache) {
  const double block = shape.heads <= law.narrow_block_up_to ? kNarrowBlock : law.kernel.heads_per_block;
  const SplitKvWork work{.units = shape.batch * tile_count(shape.heads, block),
                         .tokens_held = shape.kv_len + 1.0,
                         .tokens_read = shape.kv_len + 1.0,
                         .bytes_per_token = kMlaCacheWidth * law.kv_bytes,
                         .distinct_units = shape.batch,
                         .query_bytes = 2.0 * shape.batch * shape.heads * (kMlaCacheWidth + kMlaLatent),
                         .width = (kMlaCacheWidth + kMlaLatent) / 2.0,
                         .query_rows = std::min(block, kNarrowBlock * tile_count(shape.heads, kNarrowBlock))};
  return split_kv_time(work, law.kernel, law.sm_count, cache);
}

Seconds mla_prefill_time(const MlaPrefillShape& shape, const AttentionPrefillLaw& law) {
  return attention_prefill_time({.batch = shape.batch,
                                 .tokens = shape.tokens,
                                 .context = shape.context,
                                 .heads = shape.heads,
                                 .kv_heads = shape.heads,
                                 .head_dim = kMlaExpandedWidth},
                                law);
}

}  // namespace roofplan::model
