#include "model/memory/cache_layout.hpp"

#include "model/llm/kv_cache.hpp"

#include <algorithm>

namespace roofplan::model {
namespace {

std::int64_t whole_blocks(std::int64_t tokens, std::int64_t block) {
  return ceil_div(tokens, block) * block;
}

/// Width over which a format lays its scales: a head, or the latent.
std::int64_t vector_width(const Attention& a) {
  switch (a.kind) {
    case Attention::Kind::gqa:
    case Attention::Kind::compressed:
      return a.head_dim;
    case Attention::Kind::mla:
      return a.kv_lora_rank + a.rope_dim;
  }
  return a.head_dim;
}

/// Elements that one cached token takes on one rank.
std::int64_t rank_entry(const Attention& a, const LayerCache& cache, const ParallelPlan& plan) {
  if (a.kind != Attention::Kind::gqa || a.kv_heads == 0) return cache.entry_elements;
  return cache.entry_elements / a.kv_heads * rank_kv_heads(a.kv_heads, plan.attention_tp());
}

bool pooled(const Attention& a) {
  return a.kind == Attention::Kind::compressed;
}

std::int64_t window_tokens(std::int64_t window, std::int64_t block, std::int64_t tokens) {
  return std::min(tokens, (ceil_div(window - 1, block) + 1) * block);
}

/// Bytes of one layer with `cache` reduced to one rank.
ByteCount layer_bytes(const Attention& a, LayerCache cache, const ParallelPlan& plan,
                      const CacheLayout& layout, std::int64_t tokens) {
  cache.entry_elements = rank_entry(a, cache, plan);
  const std::int64_t kept = whole_blocks(ceil_div(tokens, plan.cp), layout.block_tokens);
  if (cache.window > 0 && !pooled(a)) cache.window = window_tokens(cache.window, layout.block_tokens, kept);
  return cache_element(*layout.format, vector_width(a)).bytes(cache.elements_at(kept)) +
         cache.index_bytes_at(kept);
}

ByteCount uniform_bytes(const Architecture& model, const Stage& stage, const ParallelPlan& plan,
                        const CacheLayout& layout, std::int64_t tokens) {
  const std::int64_t kept = whole_blocks(ceil_div(tokens, plan.cp), layout.block_tokens);
  ByteCount largest, others;
  std::int64_t layers = 0;
  for (std::size_t g = 0; g < model.groups.size(); ++g) {
    const LayerGroup& group = model.groups[g];
    if (!group.attention) continue;
    const LayerCache cache = layer_cache(group);
    if (!cache.attends) continue;
    if (pooled(*group.attention)) {
      others += layer_bytes(*group.attention, cache, plan, layout, tokens) * stage.group_layers[g];
      continue;
    }
    const ElementSize element = cache_element(*layout.format, vector_width(*group.attention));
    const std::int64_t entry = rank_entry(*group.attention, cache, plan);
    largest = std::max(largest, element.bytes(checked_mul(entry, kept)));
    others += cache.index_bytes_at(kept) * stage.group_layers[g];
    layers += stage.group_layers[g];
  }
  return largest * layers + others;
}

}  // namespace

ByteCount sequence_cache(const Architecture& model, const Stage& stage, const ParallelPlan& plan,
                         const CacheLayout& layout, std::int64_t tokens) {
  if (!layout.hybrid) return uniform_bytes(model, stage, plan, layout, tokens);
  ByteCount sum;
  for (std::size_t g = 0; g < model.groups.size(); ++g) {
    const LayerGroup& group = model.groups[g];
    if (group.attention && stage.group_layers[g] > 0)
      sum += layer_bytes(*group.attention, layer_cache(group), plan, layout, tokens) * stage.group_layers[g];
  }
  return sum;
}

ByteCount prefill_window(const Architecture& model, const Stage& stage, const ParallelPlan& plan,
                         const CacheLayout& layout, std::int64_t tokens) {
  if (!layout.hybrid || layout.chunk_tokens == 0) return {};
  ByteCount sum;
  for (std::size_t g = 0; g < model.groups.size(); ++g) {
    const LayerGroup& group = model.groups[g];
    if (!group.attention || !group.attention->window || pooled(*group.attention)) continue;
    LayerCache widened = layer_cache(group);
    const ByteCount steady = layer_bytes(*group.attention, widened, plan, layout, tokens);
    widened.window += layout.chunk_tokens;
    sum += (layer_bytes(*group.attention, widened, plan, layout, tokens) - steady) * stage.group_layers[g];
  }
  return sum;
}

ByteCount sequence_state(const Architecture& model, const Stage& stage, const ParallelPlan& plan) {
  ByteCount sum;
  for (std::size_t g = 0; g < model.groups.size(); ++g)
    sum += ByteCount(ceil_div(layer_cache(model.groups[g]).state_bytes().count(), plan.attention_tp())) *
           stage.group_layers[g];
  return sum;
}

ByteCount draft_cache(const Architecture& model, const ParallelPlan& plan, const CacheLayout& layout,
                      std::int64_t tokens) {
  for (auto group = model.order.rbegin(); group != model.order.rend(); ++group)
    if (const std::optional<Attention>& attention = model.groups[*group].attention)
      return layer_bytes(*attention, layer_cache(model.groups[*group]), plan, layout, tokens) *
             model.side.mtp_layers;
  return {};
}

Stage whole_model(const Architecture& model) {
  return pipeline_stages(model, 1).front();
}

}  // namespace roofplan::model
