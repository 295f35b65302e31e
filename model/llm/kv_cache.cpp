#include "model/llm/kv_cache.hpp"

#include <algorithm>

namespace roofplan::model {
namespace {

/// fp8 key and one fp32 scale per 128 elements: 132 B for a key of 128 (SGLang's sparse-attention pool).
std::int64_t index_key_bytes(std::int64_t head_dim) {
  return head_dim + 4 * ceil_div(head_dim, 128);
}

void cache_attention(const Attention& a, LayerCache& cache) {
  cache.attends = a.cached;
  if (!a.cached) return;
  switch (a.kind) {
    case Attention::Kind::gqa:
      cache.entry_elements = checked_mul(a.kv_heads, a.head_dim + a.v_head_dim);
      break;
    case Attention::Kind::mla:
      cache.entry_elements = a.kv_lora_rank + a.rope_dim;
      break;
    case Attention::Kind::compressed:
      cache.entry_elements = a.head_dim;
      cache.tokens_per_entry = std::max<std::int64_t>(1, a.compress_ratio);
      break;
  }
  cache.window = a.window.value_or(0);
  cache.keeps_all = !a.window || (a.kind == Attention::Kind::compressed && a.compress_ratio > 0);
  if (a.index_heads > 0) cache.index_bytes = index_key_bytes(a.index_head_dim);
}

void cache_recurrent(const Recurrent& r, LayerCache& cache) {
  const std::int64_t columns = std::max<std::int64_t>(0, r.conv_kernel - 1);
  const std::int64_t keys = checked_mul(r.key_heads, r.key_head_dim);
  const std::int64_t values = checked_mul(r.value_heads, r.value_head_dim);
  std::int64_t convolved = 0;
  switch (r.kind) {
    case Recurrent::Kind::mamba1:
      convolved = r.inner;
      cache.recurrent_elements = checked_mul(r.inner, r.state_size);
      break;
    case Recurrent::Kind::mamba2:
      convolved = checked_add(checked_mul(r.heads, r.head_dim), 2 * checked_mul(r.groups, r.state_size));
      cache.recurrent_elements = checked_mul(checked_mul(r.heads, r.head_dim), r.state_size);
      break;
    case Recurrent::Kind::gated_delta_net:
    case Recurrent::Kind::kda:
      convolved = 2 * keys + values;
      cache.recurrent_elements = checked_mul(values, r.key_head_dim);
      break;
    case Recurrent::Kind::short_conv:
      convolved = r.inner;
      break;
  }
  cache.conv_elements = checked_mul(columns, convolved);
  cache.fp32_state = r.fp32_state;
}

bool pooled(const LayerGroup& group) {
  return group.attention && group.attention->kind == Attention::Kind::compressed;
}

/// Elements per token of the largest layer: engines without a hybrid manager give every layer its page.
std::int64_t largest_entry(const Architecture& model) {
  std::int64_t largest = 0;
  for (const LayerGroup& group : model.groups)
    if (!pooled(group)) largest = std::max(largest, layer_cache(group).entry_elements);
  return largest;
}

std::int64_t uniform_layers(const Architecture& model) {
  std::int64_t layers = 0;
  for (const LayerGroup& group : model.groups)
    if (layer_cache(group).attends && !pooled(group)) layers += group.count;
  return layers;
}

}  // namespace

ByteCount ElementSize::bytes(std::int64_t n) const {
  return ByteCount(ceil_div(checked_mul(n, bits), 8 * elements));
}

std::int64_t LayerCache::elements_at(std::int64_t tokens) const {
  if (!attends) return 0;
  if (window == 0) return checked_mul(ceil_div(tokens, tokens_per_entry), entry_elements);
  const std::int64_t recent = std::min(tokens, window);
  const std::int64_t pooled_entries = keeps_all ? tokens / tokens_per_entry : 0;
  return checked_mul(recent + pooled_entries, entry_elements);
}

ByteCount LayerCache::index_bytes_at(std::int64_t tokens) const {
  return ByteCount(checked_mul(tokens / tokens_per_entry, index_bytes));
}

ByteCount LayerCache::state_bytes() const {
  return ByteCount(
      checked_add(checked_mul(conv_elements, 2), checked_mul(recurrent_elements, fp32_state ? 4 : 2)));
}

LayerCache layer_cache(const LayerGroup& group) {
  LayerCache cache;
  if (group.attention) cache_attention(*group.attention, cache);
  if (group.recurrent) cache_recurrent(*group.recurrent, cache);
  return cache;
}

CacheNeed cache_need(const Architecture& model, ElementSize kv) {
  // Pooled layers add a fraction of an entry per token; a common multiple of all ratios keeps it exact.
  constexpr std::int64_t kSpan = 4096;
  std::int64_t span_elements = 0, pooled_span = 0, window_elements = 0, cap_elements = 0, index_span = 0;
  CacheNeed need;
  for (const LayerGroup& group : model.groups) {
    const LayerCache cache = layer_cache(group);
    need.state += cache.state_bytes() * group.count;
    if (!cache.attends) continue;
    const std::int64_t per_layer = checked_mul(cache.entry_elements, group.count);
    if (cache.keeps_all) {
      const std::int64_t grown = checked_mul(per_layer, kSpan / cache.tokens_per_entry);
      span_elements = checked_add(span_elements, grown);
      if (pooled(group)) pooled_span = checked_add(pooled_span, grown);
      index_span = checked_add(index_span, checked_mul(checked_mul(cache.index_bytes, group.count),
                                                       kSpan / cache.tokens_per_entry));
    }
    if (cache.window > 0) {
      window_elements = checked_add(window_elements, per_layer);
      cap_elements = checked_add(cap_elements, checked_mul(per_layer, cache.window));
    }
  }
  const auto per_token = [&kv](std::int64_t elements) {
    return ByteCount(ceil_div(kv.bytes(elements).count(), kSpan));
  };
  need.per_token = per_token(span_elements);
  need.window_per_token = kv.bytes(window_elements);
  need.window_cap = kv.bytes(cap_elements);
  need.index_per_token = ByteCount(ceil_div(index_span, kSpan));
  need.engine_per_token =
      kv.bytes(checked_mul(largest_entry(model), uniform_layers(model))) + per_token(pooled_span);
  return need;
}

ByteCount kv_bytes(const Architecture& model, ElementSize kv, std::int64_t tokens, bool hybrid) {
  std::int64_t elements = 0;
  for (const LayerGroup& group : model.groups) {
    if (!hybrid && !pooled(group)) continue;
    elements = checked_add(elements, checked_mul(layer_cache(group).elements_at(tokens), group.count));
  }
  if (!hybrid)
    elements =
        checked_add(elements, checked_mul(checked_mul(largest_entry(model), uniform_layers(model)), tokens));
  return kv.bytes(elements);
}

ByteCount index_bytes(const Architecture& model, std::int64_t tokens) {
  ByteCount sum;
  for (const LayerGroup& group : model.groups) sum += layer_cache(group).index_bytes_at(tokens) * group.count;
  return sum;
}

ByteCount state_bytes(const Architecture& model) {
  ByteCount sum;
  for (const LayerGroup& group : model.groups) sum += layer_cache(group).state_bytes() * group.count;
  return sum;
}

}  // namespace roofplan::model
