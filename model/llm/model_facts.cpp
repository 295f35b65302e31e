#include "model/llm/model_facts.hpp"

#include "model/llm/tensors.hpp"

namespace roofplan::model {
namespace {

LayerGroupFacts group_facts(const Architecture& model, const LayerGroup& group, ElementSize kv) {
  LayerGroupFacts out;
  out.name = group.name;
  out.layers = group.count;
  for (const Tensor& t : tensors(model, group)) {
    out.params = checked_add(out.params, checked_mul(t.elements(), group.count));
    out.active_params = checked_add(out.active_params, checked_mul(t.active_elements(), group.count));
  }
  if (group.attention) {
    out.heads = group.attention->heads;
    out.head_dim = group.attention->head_dim;
    if (group.attention->kind == Attention::Kind::gqa) out.kv_heads = group.attention->kv_heads;
    out.window = group.attention->window;
  }
  if (group.moe) {
    out.experts = group.moe->experts;
    out.experts_per_token = group.moe->top_k;
  }
  const LayerCache cache = layer_cache(group);
  if (cache.attends) {
    const std::int64_t elements = checked_mul(cache.entry_elements, group.count);
    const ByteCount bytes = kv.bytes(elements);
    const bool pooled = cache.keeps_all && cache.tokens_per_entry > 1;
    out.kv_bytes_per_token = pooled ? ByteCount(ceil_div(bytes.count(), cache.tokens_per_entry)) : bytes;
    out.index_bytes_per_token =
        ByteCount(ceil_div(checked_mul(cache.index_bytes, group.count), cache.tokens_per_entry));
  }
  out.state_bytes_per_sequence = cache.state_bytes() * group.count;
  return out;
}

}  // namespace

ModelFacts model_facts(const Architecture& model, ElementSize kv) {
  ModelFacts out;
  out.params = count_parameters(model);
  out.layers = model.layers();
  out.max_context = model.max_context;
  out.cache = cache_need(model, kv);
  for (const LayerGroup& group : model.groups) out.layer_groups.push_back(group_facts(model, group, kv));
  return out;
}

}  // namespace roofplan::model
