#pragma once

#include "model/llm/parameters.hpp"
#include "tests/llm/shapes.hpp"

#include <cstdint>

namespace roofplan::model::test {

inline Architecture llama_8b() {
  return dense_decoder(32, 4096, 32, 8, 128, 14336, 128256);
}
inline Architecture llama_70b() {
  return dense_decoder(80, 8192, 64, 8, 128, 28672, 128256);
}
inline Architecture llama_405b() {
  return dense_decoder(126, 16384, 128, 8, 128, 53248, 128256);
}

/// Qwen2.5: as Llama, with biases on q, k and v.
inline Architecture qwen25(std::int64_t layers, std::int64_t hidden, std::int64_t heads,
                           std::int64_t kv_heads, std::int64_t intermediate, std::int64_t vocab) {
  Architecture a = dense_decoder(layers, hidden, heads, kv_heads, 128, intermediate, vocab);
  a.groups[0].attention->qkv_bias = true;
  return a;
}

/// gpt-oss: every second layer keeps a window of 128, all layers route 4 of `experts`.
inline Architecture gpt_oss(std::int64_t layers, std::int64_t experts) {
  Architecture a = dense_decoder(layers, 2880, 64, 8, 64, 2880, 201088);
  LayerGroup group = a.groups[0];
  group.count = layers / 2;
  group.dense.reset();
  group.attention->qkv_bias = group.attention->o_bias = group.attention->sinks = true;
  group.moe = MoeFfn{};
  group.moe->experts = experts;
  group.moe->top_k = 4;
  group.moe->intermediate = 2880;
  group.moe->bias = group.moe->router_bias = true;
  a.groups = {group, group};
  a.groups[0].attention->window = 128;
  for (std::size_t i = 0; i < a.order.size(); ++i) a.order[i] = static_cast<std::uint16_t>(i % 2);
  a.native.of(TensorClass::expert) = "mxfp4";
  a.max_context = 131072;
  return a;
}

/// Qwen3 mixture of experts: per-head norms on q and k, every layer routed.
inline Architecture qwen3_moe(std::int64_t layers, std::int64_t hidden, std::int64_t heads,
                              std::int64_t kv_heads, std::int64_t experts, std::int64_t intermediate) {
  Architecture a = dense_decoder(layers, hidden, heads, kv_heads, 128, 0, 151936);
  LayerGroup& group = a.groups[0];
  group.dense.reset();
  group.attention->qk_norm = Attention::QkNorm::per_head;
  group.moe = MoeFfn{};
  group.moe->experts = experts;
  group.moe->top_k = 8;
  group.moe->intermediate = intermediate;
  return a;
}

/// DeepSeek-V3: latent attention, three dense layers, then 256 experts and a shared one.
inline Architecture deepseek_v3() {
  Architecture a = dense_decoder(61, 7168, 128, 128, 192, 18432, 129280);
  Attention mla;
  mla.kind = Attention::Kind::mla;
  mla.heads = mla.kv_heads = 128;
  mla.q_lora_rank = 1536;
  mla.kv_lora_rank = 512;
  mla.nope_dim = mla.v_head_dim = 128;
  mla.rope_dim = 64;
  mla.head_dim = 192;
  a.groups[0].attention = mla;
  a.groups[0].count = 3;
  LayerGroup routed = a.groups[0];
  routed.count = 58;
  routed.dense.reset();
  routed.moe = MoeFfn{};
  routed.moe->experts = 256;
  routed.moe->top_k = 8;
  routed.moe->intermediate = routed.moe->shared_intermediate = 2048;
  routed.moe->router_bias = true;
  a.groups.push_back(routed);
  for (std::size_t i = 3; i < a.order.size(); ++i) a.order[i] = 1;
  for (TensorClass kind :
       {TensorClass::attention, TensorClass::dense_ffn, TensorClass::expert, TensorClass::shared_expert})
    a.native.of(kind) = "fp8_block";
  a.max_context = 163840;
  return a;
}

/// Exactly 200 billion parameters, the size alone being known: what the shape lacks is put into positions.
inline Architecture stand_in_200b() {
  Architecture a = dense_decoder(107, 12288, 96, 8, 128, 40960, 128256);
  a.stand_in = true;
  a.embedding_extra = 200'000'000'000 - count_parameters(a).total;
  return a;
}

}  // namespace roofplan::model::test
