#include "model/llm/files/gguf_layer.hpp"

#include "model/units/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace roofplan::model {
namespace {

constexpr std::int64_t kMostCount = std::int64_t{1} << 31;

[[noreturn]] void refuse(const GgufKeys& keys, const GgufLayer& layer, std::string_view message) {
  throw InputError(InputError::Kind::content, fmt::format("layer {}: {}", layer.number, message), {},
                   {keys.metadata().file(), {}, 0});
}

Attention grouped_attention(const GgufKeys& keys, const GgufLayer& layer) {
  Attention a;
  a.heads = layer.heads;
  a.kv_heads = layer.kv_heads;
  a.head_dim = layer.key_length;
  a.v_head_dim = layer.value_length;
  const std::int64_t q = checked_mul(a.heads, a.head_dim), k = checked_mul(a.kv_heads, a.head_dim);
  if (a.heads < 1 || a.kv_heads < 1 || a.head_dim < 1 || a.v_head_dim < 1 || a.heads % a.kv_heads != 0) {
    refuse(keys, layer,
           fmt::format("{} heads over {} KV heads of width {} and {} are no attention", a.heads, a.kv_heads,
                       a.head_dim, a.v_head_dim));
  }
  if (layer.has("attn_k.weight") && layer.width("attn_k.weight", 1) != k) {
    refuse(keys, layer,
           fmt::format("attn_k has {} rows, where {} KV heads of width {} make {}",
                       layer.width("attn_k.weight", 1), a.kv_heads, a.head_dim, k));
  }
  a.window = layer.window;
  a.cached = layer.cached;
  a.qkv_bias = layer.has("attn_q.bias") || layer.has("attn_qkv.bias") || layer.has("attn_k.bias");
  a.o_bias = layer.has("attn_output.bias");
  a.sinks = layer.has("attn_sinks.weight") || layer.has("attn_sinks");
  a.output_gate = layer.width("attn_q.weight", 1) == 2 * q ||
                  layer.width("attn_gate.weight", 1) == checked_mul(a.heads, a.v_head_dim);
  a.k_is_v = layer.has("attn_k.weight") && !layer.has("attn_v.weight");
  if (layer.has("attn_q_norm.weight")) {
    const bool per_head = layer.elements("attn_q_norm.weight") == a.head_dim;
    a.qk_norm = per_head ? Attention::QkNorm::per_head : Attention::QkNorm::full_width;
  }
  return a;
}

/// Newer files keep the latent's widths under key_length and the heads' under key_length_mla.
Attention latent_attention(const GgufKeys& keys, const GgufLayer& layer) {
  Attention a;
  a.kind = Attention::Kind::mla;
  a.heads = layer.heads;
  a.kv_heads = 1;
  a.kv_lora_rank = keys.count("attention.kv_lora_rank");
  a.q_lora_rank = layer.has("attn_q_a.weight") ? keys.count("attention.q_lora_rank") : 0;
  a.rope_dim = keys.count("rope.dimension_count");
  a.head_dim = keys.count_or("attention.key_length_mla", layer.key_length);
  a.v_head_dim = keys.count_or("attention.value_length_mla", layer.value_length);
  a.nope_dim = a.head_dim - a.rope_dim;
  const std::int64_t rows = layer.width("attn_kv_a_mqa.weight", 1);
  if (a.heads < 1 || a.nope_dim < 0 || rows != a.kv_lora_rank + a.rope_dim) {
    refuse(keys, layer,
           fmt::format("attn_kv_a_mqa has {} rows, where a latent of {} and rotary keys of {} make {}", rows,
                       a.kv_lora_rank, a.rope_dim, a.kv_lora_rank + a.rope_dim));
  }
  if (layer.has("indexer.attn_k.weight")) {
    a.index_heads = keys.count("attention.indexer.head_count");
    a.index_head_dim = keys.count("attention.indexer.key_length");
    a.index_top_k = keys.count("attention.indexer.top_k");
  }
  a.cached = layer.cached;
  return a;
}

Recurrent short_convolution(const GgufLayer& layer) {
  Recurrent r;
  r.kind = Recurrent::Kind::short_conv;
  r.conv_kernel = layer.width("shortconv.conv.weight", 0);
  r.inner = layer.width("shortconv.conv.weight", 1);
  return r;
}

Recurrent recurrent_part(const GgufKeys& keys, const GgufLayer& layer) {
  if (layer.has("shortconv.conv.weight")) return short_convolution(layer);
  if (layer.has("ssm_conv1d_q.weight")) refuse(keys, layer, "Kimi delta attention in GGUF is not read");
  Recurrent r;
  r.conv_kernel = keys.count("ssm.conv_kernel");
  r.state_size = keys.count("ssm.state_size");
  r.conv_bias = layer.has("ssm_conv1d.bias");
  const std::int64_t inner = keys.count("ssm.inner_size");
  const std::int64_t rank = keys.count("ssm.time_step_rank");
  const bool by_heads = !layer.has("ssm_x.weight");
  if (by_heads && inner % rank != 0)
    refuse(keys, layer, fmt::format("{} heads do not divide a width of {}", rank, inner));
  if (layer.has("ssm_ba.weight") || layer.has("ssm_beta.weight")) {
    r.kind = Recurrent::Kind::gated_delta_net;
    r.key_heads = keys.count("ssm.group_count");
    r.key_head_dim = r.state_size;
    r.value_heads = rank;
    r.value_head_dim = inner / rank;
  } else if (by_heads) {
    r.kind = Recurrent::Kind::mamba2;
    r.heads = rank;
    r.head_dim = inner / rank;
    r.groups = keys.count("ssm.group_count");
  } else {
    r.kind = Recurrent::Kind::mamba1;
    r.inner = inner;
    r.dt_rank = rank;
    r.inner_norms = layer.has("ssm_dt_norm.weight");
  }
  return r;
}

DenseFfn dense_part(const GgufLayer& layer) {
  DenseFfn ffn;
  ffn.intermediate = layer.width("ffn_down.weight", 0);
  // Phi-3 and GLM-4 keep gate and up in one matrix of twice the width.
  const bool fused = layer.width("ffn_up.weight", 1) == 2 * ffn.intermediate;
  ffn.gated = layer.has("ffn_gate.weight") || fused;
  ffn.bias = layer.has("ffn_up.bias") || layer.has("ffn_down.bias");
  return ffn;
}

MoeFfn routed_part(const GgufKeys& keys, const GgufLayer& layer) {
  MoeFfn moe;
  moe.experts = layer.width("ffn_down_exps.weight", 2);
  moe.intermediate = layer.width("ffn_down_exps.weight", 0);
  moe.top_k = keys.count("expert_used_count");
  if (moe.top_k > moe.experts)
    refuse(keys, layer, fmt::format("{} of {} experts a token", moe.top_k, moe.experts));
  moe.gated = layer.has("ffn_gate_exps.weight") || layer.has("ffn_gate_up_exps.weight");
  moe.bias = layer.has("ffn_down_exps.bias");
  moe.router_bias =
      layer.has("exp_probs_b.bias") || layer.has("exp_probs_b") || layer.has("ffn_gate_inp.bias");
  moe.shared_intermediate = layer.width("ffn_down_shexp.weight", 0);
  moe.shared_gate = layer.has("ffn_gate_inp_shexp.weight");
  if (layer.has("ffn_latent_down.weight")) moe.latent = layer.width("ffn_latent_down.weight", 1);
  moe.router_extra_elements = layer.elements("ffn_gate_inp.scale") + layer.elements("ffn_down_exps.scale");
  return moe;
}

std::int64_t outer_norms(const GgufLayer& layer) {
  static constexpr std::array<std::string_view, 9> kInner{"attn_q_norm",    "attn_k_norm", "attn_q_a_norm",
                                                          "attn_kv_a_norm", "ssm_norm",    "ssm_dt_norm",
                                                          "ssm_b_norm",     "ssm_c_norm",  "indexer.k_norm"};
  std::int64_t sum = 0;
  for (const auto& [name, tensor] : layer.tensors) {
    const bool norm = name.find("norm") != name.npos || name.starts_with("layer_output_scale");
    const bool inner = std::any_of(kInner.begin(), kInner.end(), [&, n = name](std::string_view prefix) {
      return n.starts_with(prefix) && n.substr(prefix.size()).starts_with('.');
    });
    if (norm && !inner) sum = checked_add(sum, tensor->parameters);
  }
  return sum;
}

void refuse_unknown_parts(const GgufKeys& keys, const GgufLayer& layer) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kUnknown{{
      {"time_mix", "the state of RWKV is not modelled"},
      {"attn_compressor", "compressed attention in GGUF is not read"},
      {"hc_attn", "hyper-connections are not modelled"},
      {"cross_attn", "cross attention is not modelled"},
      {"ffn_down.0.", "experts one by one, as before 2024, are not read: convert the model anew"},
  }};
  for (const auto& [prefix, reason] : kUnknown) {
    const auto at = layer.tensors.lower_bound(prefix);
    if (at != layer.tensors.end() && at->first.starts_with(prefix)) refuse(keys, layer, reason);
  }
}

}  // namespace

GgufKeys::GgufKeys(const GgufMetadata& metadata) : metadata_(&metadata) {
  const auto name = metadata.text("general.architecture");
  if (!name || name->empty()) metadata.fail("general.architecture", "the key is missing");
  architecture_ = *name;
}

std::int64_t GgufKeys::checked(std::string_view key, std::int64_t value, std::int64_t least) const {
  if (value >= least && value <= kMostCount) return value;
  metadata_->fail(full(key), fmt::format("{} is out of range", value),
                  fmt::format("{} to {}", least, kMostCount));
}

std::int64_t GgufKeys::count(std::string_view key) const {
  const auto value = metadata_->integer(full(key));
  if (!value) metadata_->fail(full(key), "the key is missing");
  return checked(key, *value, 1);
}

std::int64_t GgufKeys::count_or(std::string_view key, std::int64_t other) const {
  const auto value = metadata_->integer(full(key));
  return value ? checked(key, *value, 0) : other;
}

std::vector<std::int64_t> GgufKeys::per_layer(std::string_view key, std::int64_t layers, std::int64_t drafts,
                                              std::int64_t other) const {
  auto values = metadata_->per_layer(full(key), layers, drafts);
  if (!values) return std::vector<std::int64_t>(static_cast<std::size_t>(layers), other);
  for (const std::int64_t value : *values) checked(key, value, 0);
  return *std::move(values);
}

const TensorEntry* GgufLayer::find(std::string_view name) const {
  const auto it = tensors.find(name);
  return it == tensors.end() ? nullptr : it->second;
}

std::int64_t GgufLayer::width(std::string_view name, std::size_t dimension) const {
  const TensorEntry* tensor = find(name);
  if (tensor == nullptr) return 0;
  return dimension < tensor->shape.size() ? tensor->shape[dimension] : 1;
}

std::int64_t GgufLayer::elements(std::string_view name) const {
  const TensorEntry* tensor = find(name);
  return tensor == nullptr ? 0 : tensor->parameters;
}

LayerGroup gguf_layer_group(const GgufKeys& keys, const GgufLayer& layer) {
  refuse_unknown_parts(keys, layer);
  LayerGroup group;
  const bool recurrent =
      layer.has("ssm_out.weight") || layer.has("shortconv.conv.weight") || layer.has("ssm_conv1d_q.weight");
  if (recurrent) group.recurrent = recurrent_part(keys, layer);
  if (layer.has("attn_kv_a_mqa.weight")) {
    group.attention = latent_attention(keys, layer);
  } else if (layer.has("attn_q.weight") || (layer.has("attn_qkv.weight") && !recurrent)) {
    group.attention = grouped_attention(keys, layer);
  }
  if (layer.has("ffn_down.weight")) group.dense = dense_part(layer);
  if (layer.has("ffn_down_exps.weight")) group.moe = routed_part(keys, layer);
  group.norm_elements = outer_norms(layer);
  group.per_layer_input = layer.width("inp_gate.weight", 1);
  return group;
}

}  // namespace roofplan::model
