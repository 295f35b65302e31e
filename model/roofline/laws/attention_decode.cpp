#include "model/roofline/laws/attention_decode.hpp"

#include "model/roofline/laws/tile_math.hpp"

namespace roofplan::model {
namespace {

constexpr double kLargestGroup = 32;
constexpr double kTokensOfBlock = 128;
constexpr double kBlocksPerSm = 0.25;

}  // namespace

DecodePath AttentionDecodeLaw::path(const AttentionDecodeShape& shape) const {
  const double group = shape.heads / shape.kv_heads;
  if (group > kLargestGroup) return DecodePath::per_head;
  const bool equal = group <= 1.0;
  if (equal ? few_blocks_equal : few_blocks_grouped) {
    const double blocks =
        shape.batch * shape.kv_heads * std::max(1.0, std::floor(shape.kv_len / kTokensOfBlock));
    if (blocks < kBlocksPerSm * sm_count) return DecodePath::per_head;
  }
  return equal ? DecodePath::equal_heads : DecodePath::grouped;
}

const SplitKvKernel& AttentionDecodeLaw::kernel(DecodePath path) const {
  switch (path) {
    case DecodePath::equal_heads:
      return equal_heads;
    case DecodePath::grouped:
      return grouped;
    case DecodePath::per_head:
      break;
  }
  return per_head;
}

Seconds attention_decode_time(const AttentionDecodeShape& shape, const AttentionDecodeLaw& law,
                              CacheState cache) {
  const DecodePath path = law.path(shape);
  const SplitKvKernel& kernel = law.kernel(path);
  const double group = shape.heads / shape.kv_heads;
  const double visible = shape.window > 0 ? std::min(shape.window, shape.kv_len) : shape.kv_len;
  SplitKvWork work{.tokens_held = shape.kv_len + 1.0,
                   .tokens_read = visible + 1.0,
                   .bytes_per_token = 2.0 * shape.head_dim * law.kv_bytes,
                   .distinct_units = shape.batch * shape.kv_heads,
                   .query_bytes = 4.0 * shape.batch * shape.heads * shape.head_dim,
                   .width = shape.head_dim};
  if (path == DecodePath::per_head) {
    work.units = shape.batch * shape.heads;
  } else {
    work.units = work.distinct_units * tile_count(group, kernel.heads_per_block);
    work.query_rows = std::max(16.0, std::min<double>(group, kernel.heads_per_block));
  }
  return split_kv_time(work, kernel, law.sm_count, cache);
}

}  // namespace roofplan::model
