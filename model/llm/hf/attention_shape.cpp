#include "model/json/json.hpp"
#include "model/llm/hf/shapes.hpp"

#include <fmt/format.h>

namespace roofplan::model::hf {
namespace {

using Mixer = LayerPlan::Mixer;

std::int64_t head_count(const Config& config) {
  return config.required({"num_attention_heads", "n_head", "n_heads"});
}

/// head_dim where the file gives one, else hidden / heads, which must divide.
std::int64_t head_width(const Config& config, std::int64_t heads) {
  if (const auto d = config.count({"head_dim", "attention_head_dim", "kv_channels"}); d && *d > 0) return *d;
  const std::int64_t hidden = hidden_size(config);
  if (hidden % heads != 0)
    config.fail("num_attention_heads",
                fmt::format("{} heads do not divide a hidden size of {}", heads, hidden),
                "a divisor of the hidden size, or head_dim");
  return hidden / heads;
}

std::int64_t kv_head_count(const Config& config, std::int64_t heads) {
  if (config.is_set({"multi_query"}) && !config.is_set({"new_decoder_architecture"})) return 1;
  const auto n = config.count({"num_key_value_heads", "num_kv_heads", "n_head_kv", "attn_config.kv_n_heads"});
  if (n && *n == 0) config.fail("num_key_value_heads", "no KV heads", "1 or more");
  return n.value_or(heads);
}

void check_grouping(const Config& config, const Attention& a) {
  if (a.heads % a.kv_heads != 0)
    config.fail("num_key_value_heads",
                fmt::format("{} KV heads do not divide {} query heads", a.kv_heads, a.heads),
                "a divisor of the query heads");
}

/// Layers that differ from the others: Gemma 4 global layers, MiMo windowed layers.
void apply_layer_kind(const Config& config, Mixer mixer, Attention& a) {
  if (mixer == Mixer::window) {
    a.heads = config.count_or({"swa_num_attention_heads"}, a.heads);
    a.kv_heads = config.count_or({"swa_num_key_value_heads"}, a.kv_heads);
    a.head_dim = config.count_or({"swa_head_dim"}, a.head_dim);
    a.v_head_dim = config.count_or({"swa_v_head_dim"}, a.v_head_dim);
    a.sinks = a.sinks || config.is_set({"add_swa_attention_sink_bias"});
    return;
  }
  if (const auto wide = config.count({"global_head_dim"}); wide && *wide > 0)
    a.head_dim = a.v_head_dim = *wide;
  if (const auto kv = config.count({"num_global_key_value_heads"}); kv && *kv > 0) {
    a.kv_heads = *kv;
    a.k_is_v = config.is_set({"attention_k_eq_v"});
  }
  a.sinks = a.sinks || config.is_set({"add_full_attention_sink_bias"});
}

void set_grouped(const Config& config, Mixer mixer, Attention& a) {
  a.head_dim = head_width(config, a.heads);
  a.v_head_dim = config.count_or({"v_head_dim"}, a.head_dim);
  a.kv_heads = kv_head_count(config, a.heads);
  apply_layer_kind(config, mixer, a);
  if (a.heads == 0 || a.kv_heads == 0 || a.head_dim == 0 || a.v_head_dim == 0)
    config.fail("num_attention_heads", "heads without a width or a width without heads", "1 or more");
  check_grouping(config, a);
}

void set_latent(const Config& config, Attention& a) {
  a.kind = Attention::Kind::mla;
  a.kv_lora_rank = config.required({"kv_lora_rank"});
  a.q_lora_rank = config.count_or({"q_lora_rank"}, 0);
  a.nope_dim = config.required({"qk_nope_head_dim"});
  a.rope_dim = config.count_or({"qk_rope_head_dim"}, 0);
  a.head_dim = a.nope_dim + a.rope_dim;
  a.v_head_dim = config.count_or({"v_head_dim"}, a.nope_dim);
  a.kv_heads = a.heads;
}

void set_pooled(const Config& config, const LayerPlan& plan, Attention& a) {
  a.kind = Attention::Kind::compressed;
  a.head_dim = a.v_head_dim = config.required({"head_dim"});
  a.kv_heads = 1;
  a.q_lora_rank = config.count_or({"q_lora_rank"}, 0);
  a.rope_dim = config.count_or({"qk_rope_head_dim"}, 0);
  a.nope_dim = a.head_dim - a.rope_dim;
  a.compress_ratio = plan.pooling;
  a.o_lora_rank = config.count_or({"o_lora_rank"}, 0);
  a.o_groups = config.count_or({"o_groups"}, 1);
  if (a.o_groups == 0 || a.heads % a.o_groups != 0)
    config.fail("o_groups", fmt::format("{} groups do not divide {} heads", a.o_groups, a.heads),
                "a divisor of the heads");
}

void set_indexer(const Config& config, Attention& a) {
  a.index_heads = config.count_or({"index_n_heads"}, 0);
  if (a.index_heads == 0) return;
  a.index_head_dim = config.required({"index_head_dim"});
  a.index_top_k = config.count_or({"index_topk"}, 0);
}

Attention::QkNorm qk_norm(const Config& config, const Family& family) {
  if (family.qk_norm_by_key && !config.is_set({"use_qk_norm"})) return Attention::QkNorm::none;
  const auto type = config.word({"qk_norm_type"});
  if (type == "per_layer") return Attention::QkNorm::full_width;
  if (type == "per_head") return Attention::QkNorm::per_head;
  return family.qk_norm;
}

}  // namespace

Attention attention_shape(const Config& config, const Family& family, const LayerPlan& plan) {
  Attention a;
  a.heads = head_count(config);
  a.sinks = family.sinks;
  a.cached = !family.encoder && !plan.shared_kv;
  if (config.has("compress_ratios")) {
    set_pooled(config, plan, a);
  } else if (config.count_or({"kv_lora_rank"}, 0) > 0) {
    set_latent(config, a);
  } else {
    set_grouped(config, plan.mixer, a);
  }
  if (plan.mixer == Mixer::window) a.window = plan.window;
  if (plan.indexer) set_indexer(config, a);
  a.output_gate = config.flag({"attn_output_gate", "mla_use_output_gate", "attention_output_gate"})
                      .value_or(family.output_gate);
  const auto bias = config.flag({"attention_bias", "qkv_bias", "use_qkv_bias"});
  a.qkv_bias = bias.value_or(family.qkv_bias) || family.biases;
  a.o_bias = (a.qkv_bias && family.o_bias_by_key) || family.biases;
  a.qk_norm = qk_norm(config, family);
  return a;
}

}  // namespace roofplan::model::hf
