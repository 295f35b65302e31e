#include "model/roofline/mixer_operators.hpp"

#include <algorithm>

namespace roofplan::model {

namespace {

constexpr double kOperationsPerStateElement = 6;

double as_double(std::int64_t v) {
  return static_cast<double>(v);
}

// Query heads, and the share of the layer's cache, on one rank. A latent is kept whole by every rank.
double rank_heads(const Attention& a, std::int64_t tp) {
  return as_double(a.heads) / as_double(std::min(tp, a.heads));
}
double cache_share(const Attention& a, std::int64_t tp) {
  if (a.kind != Attention::Kind::gqa) return 1;
  return 1.0 / as_double(std::min(tp, std::max<std::int64_t>(1, a.kv_heads)));
}

double flop_per_pair(const Attention& a, double heads, bool absorbed) {
  switch (a.kind) {
    case Attention::Kind::gqa:
      return 2 * heads * as_double(a.head_dim + a.v_head_dim);
    case Attention::Kind::compressed:
      return 4 * heads * as_double(a.head_dim);
    case Attention::Kind::mla:
      break;
  }
  const double width = absorbed ? as_double(2 * a.kv_lora_rank + a.rope_dim)
                                : as_double(a.nope_dim + a.rope_dim + a.v_head_dim);
  return 2 * heads * width;
}

Operator attention_part(const StepRecipe& recipe, const char* name, Phase phase) {
  Operator op;
  op.name = name;
  op.kind = phase == Phase::prefill ? OperatorKind::attention_prefill : OperatorKind::attention_decode;
  op.token_share = recipe.shards.token_share(phase);
  recipe.rates->set_attention(op, phase);
  return op;
}

/// Norms of queries, keys and latents, read and written, and the gate on the output.
void append_norms(const StepRecipe& recipe, const Attention& a, Phase phase, double heads, double kv_heads,
                  std::vector<Operator>& out) {
  const double head = as_double(a.head_dim);
  if (a.qk_norm != Attention::QkNorm::none)
    out.push_back(elementwise(recipe, "attention.qk_norm", phase, 2 * (heads + kv_heads) * head));
  if (a.q_lora_rank > 0)
    out.push_back(elementwise(recipe, "attention.q_norm", phase, 2 * as_double(a.q_lora_rank)));
  if (a.kv_lora_rank > 0)
    out.push_back(elementwise(recipe, "attention.kv_norm", phase, 2 * as_double(a.kv_lora_rank)));
  if (a.output_gate)
    out.push_back(elementwise(recipe, "attention.output_gate", phase, 3 * heads * as_double(a.v_head_dim)));
}

/// Rotary embedding and cache write; attention that a law answers for was measured with them.
void append_rotary(const StepRecipe& recipe, const Attention& a, Phase phase, double heads, double kv_bytes,
                   std::vector<Operator>& out) {
  Operator op = elementwise(recipe, "attention.rotary_cache", phase, 2 * heads * as_double(a.head_dim));
  op.kind = OperatorKind::copy;
  op.kv_write_bytes_per_token = kv_bytes;
  out.push_back(op);
}

void append_indexer(const StepRecipe& recipe, const Attention& a, Phase phase, double index_bytes,
                    std::vector<Operator>& out) {
  Operator op = attention_part(recipe, "indexer.score", phase);
  op.flop_per_pair = 2 * as_double(a.index_heads * a.index_head_dim);
  op.kv_bytes_per_entry = index_bytes;
  if (a.kind == Attention::Kind::compressed && a.compress_ratio > 0)
    op.visibility = {0, as_double(a.compress_ratio), Visibility::kAll};
  out.push_back(op);
}

void append_attention(const StepRecipe& recipe, const LayerGroup& group, Phase phase,
                      std::vector<Operator>& out) {
  const Attention& a = *group.attention;
  const LayerCache cache = layer_cache(group);
  const double heads = rank_heads(a, recipe.shards.attention_tp);
  const ElementSize element =
      cache_element(*recipe.kv, a.kind == Attention::Kind::mla ? a.kv_lora_rank + a.rope_dim : a.head_dim);
  const double entry_bytes = as_double(cache.entry_elements) * as_double(element.bits) / 8 /
                             as_double(element.elements) * cache_share(a, recipe.shards.attention_tp);

  const double kv_heads =
      as_double(std::max<std::int64_t>(1, a.kv_heads)) * cache_share(a, recipe.shards.attention_tp);
  if (recipe.counts_norms) append_norms(recipe, a, phase, heads, kv_heads, out);
  const KernelTime* kernel =
      recipe.kernels != nullptr ? recipe.kernels->attention(a, phase, heads, kv_heads) : nullptr;
  const double index_bytes = as_double(cache.index_bytes);
  if (kernel == nullptr) append_rotary(recipe, a, phase, heads, entry_bytes + index_bytes, out);
  if (a.index_heads > 0) append_indexer(recipe, a, phase, index_bytes, out);
  Operator op =
      attention_part(recipe, phase == Phase::prefill ? "attention.prefill" : "attention.decode", phase);
  op.flop_per_pair = flop_per_pair(a, heads, phase == Phase::decode || !recipe.rates->expands_latent());
  op.kv_bytes_per_entry = entry_bytes;
  op.activation_bytes_per_token = kActivationBytes * heads * as_double(a.head_dim + a.v_head_dim);
  op.visibility = visibility_of(a);
  op.kernel = kernel;
  if (kernel != nullptr) op.kv_write_bytes_per_token = entry_bytes;
  out.push_back(op);
}

void append_scan(const StepRecipe& recipe, const LayerGroup& group, Phase phase, std::vector<Operator>& out) {
  const LayerCache cache = layer_cache(group);
  const double split = as_double(recipe.shards.attention_tp);
  const Recurrent& r = *group.recurrent;
  const bool delta = r.kind == Recurrent::Kind::gated_delta_net || r.kind == Recurrent::Kind::kda;
  if (recipe.counts_norms && delta) {
    const double values = as_double(r.value_heads * r.value_head_dim) / split;
    const double keys = as_double(r.key_heads * r.key_head_dim) / split;
    out.push_back(elementwise(recipe, "recurrent.conv", phase, 2 * (2 * keys + values)));
    out.push_back(elementwise(recipe, "recurrent.gates", phase, 4 * as_double(r.value_heads) / split));
    out.push_back(elementwise(recipe, "recurrent.norm", phase, 3 * values));
  }
  Operator op;
  op.name = "recurrent.scan";
  op.kind = OperatorKind::scan;
  op.token_share = recipe.shards.token_share(phase);
  op.flop_per_token = scan_flop_per_token(*group.recurrent) / split;
  op.state_bytes_per_sequence = 2 * cache.state_bytes().quantity().base() / split;
  op.activation_bytes_per_token = 2 * kActivationBytes * as_double(cache.conv_elements) /
                                  as_double(std::max<std::int64_t>(1, group.recurrent->conv_kernel - 1)) /
                                  split;
  recipe.rates->set_scan(op, phase);
  out.push_back(op);
}

}  // namespace

Visibility visibility_of(const Attention& a) {
  const double window = a.window ? as_double(*a.window) : Visibility::kAll;
  if (a.kind == Attention::Kind::compressed) {
    if (a.compress_ratio == 0) return {window, Visibility::kAll, Visibility::kAll};
    return {window, as_double(a.compress_ratio),
            a.index_top_k > 0 ? as_double(a.index_top_k) : Visibility::kAll};
  }
  if (a.index_top_k > 0) return {0, 1, as_double(a.index_top_k)};
  return {window, Visibility::kAll, Visibility::kAll};
}

double scan_flop_per_token(const Recurrent& r) {
  LayerGroup alone;
  alone.recurrent = r;
  return kOperationsPerStateElement * as_double(layer_cache(alone).recurrent_elements);
}

void append_mixer(const StepRecipe& recipe, const LayerGroup& group, Phase phase,
                  std::vector<Operator>& out) {
  if (group.attention) append_attention(recipe, group, phase, out);
  if (group.recurrent) append_scan(recipe, group, phase, out);
}

}  // namespace roofplan::model
