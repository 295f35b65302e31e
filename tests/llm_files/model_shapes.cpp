#include "tests/llm_files/model_shapes.hpp"

#include <fmt/format.h>

namespace roofplan::test {

ModelShape llama_3_1_8b() {
  return {.arch = "llama",
          .layers = 32,
          .hidden = 4096,
          .heads = 32,
          .kv_heads = 8,
          .head_dim = 128,
          .ffn = 14336,
          .vocab = 128256,
          .rope_table = true};
}
ModelShape llama_3_1_70b() {
  return {.arch = "llama",
          .layers = 80,
          .hidden = 8192,
          .heads = 64,
          .kv_heads = 8,
          .head_dim = 128,
          .ffn = 28672,
          .vocab = 128256,
          .rope_table = true};
}
ModelShape llama_2_7b() {
  return {.arch = "llama",
          .layers = 32,
          .hidden = 4096,
          .heads = 32,
          .kv_heads = 32,
          .head_dim = 128,
          .ffn = 11008,
          .vocab = 32000};
}
ModelShape llama_2_13b() {
  return {.arch = "llama",
          .layers = 40,
          .hidden = 5120,
          .heads = 40,
          .kv_heads = 40,
          .head_dim = 128,
          .ffn = 13824,
          .vocab = 32000};
}
ModelShape qwen2_5_7b() {
  return {.arch = "qwen2",
          .layers = 28,
          .hidden = 3584,
          .heads = 28,
          .kv_heads = 4,
          .head_dim = 128,
          .ffn = 18944,
          .vocab = 152064,
          .qkv_bias = true};
}
ModelShape qwen2_5_32b() {
  return {.arch = "qwen2",
          .layers = 64,
          .hidden = 5120,
          .heads = 40,
          .kv_heads = 8,
          .head_dim = 128,
          .ffn = 27648,
          .vocab = 152064,
          .qkv_bias = true};
}
ModelShape qwen2_5_72b() {
  return {.arch = "qwen2",
          .layers = 80,
          .hidden = 8192,
          .heads = 64,
          .kv_heads = 8,
          .head_dim = 128,
          .ffn = 29568,
          .vocab = 152064,
          .qkv_bias = true};
}
ModelShape gemma_3_4b() {
  return {.arch = "gemma3",
          .layers = 34,
          .hidden = 2560,
          .heads = 8,
          .kv_heads = 4,
          .head_dim = 256,
          .ffn = 10240,
          .vocab = 262208,
          .tied = true,
          .qk_norm = true,
          .four_norms = true,
          .window = 1024};
}
ModelShape gemma_3_27b() {
  return {.arch = "gemma3",
          .layers = 62,
          .hidden = 5376,
          .heads = 32,
          .kv_heads = 16,
          .head_dim = 128,
          .ffn = 21504,
          .vocab = 262208,
          .tied = true,
          .qk_norm = true,
          .four_norms = true,
          .window = 1024};
}
ModelShape qwen3_30b_a3b() {
  return {.arch = "qwen3moe",
          .layers = 48,
          .hidden = 2048,
          .heads = 32,
          .kv_heads = 4,
          .head_dim = 128,
          .vocab = 151936,
          .qk_norm = true,
          .experts = 128,
          .expert_ffn = 768,
          .top_k = 8};
}
ModelShape qwen3_235b_a22b() {
  return {.arch = "qwen3moe",
          .layers = 94,
          .hidden = 4096,
          .heads = 64,
          .kv_heads = 4,
          .head_dim = 128,
          .vocab = 151936,
          .qk_norm = true,
          .experts = 128,
          .expert_ffn = 1536,
          .top_k = 8};
}
ModelShape gpt_oss_20b() {
  return {.arch = "gpt-oss",
          .layers = 24,
          .hidden = 2880,
          .heads = 64,
          .kv_heads = 8,
          .head_dim = 64,
          .vocab = 201088,
          .experts = 32,
          .expert_ffn = 2880,
          .top_k = 4,
          .biases_and_sinks = true,
          .window = 128};
}
ModelShape gpt_oss_120b() {
  return {.arch = "gpt-oss",
          .layers = 36,
          .hidden = 2880,
          .heads = 64,
          .kv_heads = 8,
          .head_dim = 64,
          .vocab = 201088,
          .experts = 128,
          .expert_ffn = 2880,
          .top_k = 4,
          .biases_and_sinks = true,
          .window = 128};
}
ModelShape deepseek_v2_lite() {
  return {.arch = "deepseek2",
          .layers = 27,
          .hidden = 2048,
          .heads = 16,
          .ffn = 10944,
          .vocab = 102400,
          .experts = 64,
          .expert_ffn = 1408,
          .shared_ffn = 2816,
          .dense_layers = 1,
          .top_k = 6,
          .kv_rank = 512,
          .nope = 128,
          .rope = 64,
          .v = 128};
}
ModelShape deepseek_v3() {
  return {.arch = "deepseek2",
          .layers = 61,
          .hidden = 7168,
          .heads = 128,
          .ffn = 18432,
          .vocab = 129280,
          .experts = 256,
          .expert_ffn = 2048,
          .shared_ffn = 2048,
          .dense_layers = 3,
          .top_k = 8,
          .router_bias = true,
          .q_rank = 1536,
          .kv_rank = 512,
          .nope = 128,
          .rope = 64,
          .v = 128};
}

namespace {

enum class Use { embedding, head, attention_value, down, expert, other };

class Layout {
 public:
  Layout(const ModelShape& model, std::string preset) : m_(model), preset_(std::move(preset)) {}

  GgufWriter write() {
    metadata();
    matrix("token_embd.weight", m_.hidden, m_.vocab, Use::embedding);
    vector("output_norm.weight", m_.hidden);
    if (!m_.tied) matrix("output.weight", m_.hidden, m_.vocab, Use::head);
    if (m_.rope_table) vector("rope_freqs.weight", m_.head_dim / 2);
    for (layer_ = 0; layer_ < m_.layers; ++layer_) {
      m_.kv_rank > 0 ? latent_attention() : attention();
      norms();
      m_.experts > 0 && layer_ >= m_.dense_layers ? routed() : dense();
    }
    return out_;
  }

 private:
  std::string key(std::string_view name) const { return fmt::format("{}.{}", m_.arch, name); }
  void number(std::string_view name, std::uint64_t value) {
    if (value > 0) out_.integer(key(name), static_cast<std::uint32_t>(value));
  }

  void metadata() {
    out_.text("general.architecture", m_.arch);
    number("block_count", m_.layers);
    number("embedding_length", m_.hidden);
    number("feed_forward_length", m_.ffn > 0 ? m_.ffn : m_.expert_ffn);
    number("attention.head_count", m_.heads);
    number("attention.head_count_kv", m_.kv_rank > 0 ? 1 : m_.kv_heads);
    number("attention.key_length", m_.kv_rank > 0 ? m_.kv_rank + m_.rope : m_.head_dim);
    number("attention.value_length", m_.kv_rank > 0 ? m_.kv_rank : m_.head_dim);
    number("attention.key_length_mla", m_.nope + m_.rope);
    number("attention.value_length_mla", m_.v);
    number("attention.kv_lora_rank", m_.kv_rank);
    number("attention.q_lora_rank", m_.q_rank);
    number("rope.dimension_count", m_.rope > 0 ? m_.rope : m_.head_dim);
    number("attention.sliding_window", m_.window);
    number("expert_count", m_.experts);
    number("expert_used_count", m_.top_k);
    number("expert_feed_forward_length", m_.expert_ffn);
    number("leading_dense_block_count", m_.dense_layers);
    if (m_.shared_ffn > 0) number("expert_shared_count", m_.shared_ffn / m_.expert_ffn);
    number("context_length", 131072);
    out_.texts("tokenizer.ggml.tokens", m_.vocab);
  }

  std::string in_layer(std::string_view name) const { return fmt::format("blk.{}.{}", layer_, name); }
  void vector(std::string_view name, std::uint64_t n) { out_.tensor(name, {n}, "F32"); }
  void matrix(std::string_view name, std::uint64_t in, std::uint64_t rows, Use use) {
    out_.tensor(name, {in, rows}, type(use, in));
  }

  void attention() {
    const std::uint64_t q = m_.heads * m_.head_dim, kv = m_.kv_heads * m_.head_dim;
    matrix(in_layer("attn_q.weight"), m_.hidden, q, Use::other);
    matrix(in_layer("attn_k.weight"), m_.hidden, kv, Use::other);
    matrix(in_layer("attn_v.weight"), m_.hidden, kv, Use::attention_value);
    matrix(in_layer("attn_output.weight"), q, m_.hidden, Use::other);
    if (m_.qkv_bias || m_.biases_and_sinks) {
      vector(in_layer("attn_q.bias"), q);
      vector(in_layer("attn_k.bias"), kv);
      vector(in_layer("attn_v.bias"), kv);
    }
    if (m_.biases_and_sinks) {
      vector(in_layer("attn_output.bias"), m_.hidden);
      vector(in_layer("attn_sinks.weight"), m_.heads);
    }
    if (m_.qk_norm) {
      vector(in_layer("attn_q_norm.weight"), m_.head_dim);
      vector(in_layer("attn_k_norm.weight"), m_.head_dim);
    }
  }

  void latent_attention() {
    const std::uint64_t q = m_.heads * (m_.nope + m_.rope);
    if (m_.q_rank > 0) {
      matrix(in_layer("attn_q_a.weight"), m_.hidden, m_.q_rank, Use::other);
      vector(in_layer("attn_q_a_norm.weight"), m_.q_rank);
      matrix(in_layer("attn_q_b.weight"), m_.q_rank, q, Use::other);
    } else {
      matrix(in_layer("attn_q.weight"), m_.hidden, q, Use::other);
    }
    matrix(in_layer("attn_kv_a_mqa.weight"), m_.hidden, m_.kv_rank + m_.rope, Use::other);
    vector(in_layer("attn_kv_a_norm.weight"), m_.kv_rank);
    out_.tensor(in_layer("attn_k_b.weight"), {m_.nope, m_.kv_rank, m_.heads}, type(Use::other, m_.nope));
    out_.tensor(in_layer("attn_v_b.weight"), {m_.kv_rank, m_.v, m_.heads}, type(Use::other, m_.kv_rank));
    matrix(in_layer("attn_output.weight"), m_.heads * m_.v, m_.hidden, Use::other);
  }

  void norms() {
    vector(in_layer("attn_norm.weight"), m_.hidden);
    vector(in_layer("ffn_norm.weight"), m_.hidden);
    if (!m_.four_norms) return;
    vector(in_layer("post_attention_norm.weight"), m_.hidden);
    vector(in_layer("post_ffw_norm.weight"), m_.hidden);
  }

  void dense() {
    matrix(in_layer("ffn_gate.weight"), m_.hidden, m_.ffn, Use::other);
    matrix(in_layer("ffn_up.weight"), m_.hidden, m_.ffn, Use::other);
    matrix(in_layer("ffn_down.weight"), m_.ffn, m_.hidden, Use::down);
  }

  void routed() {
    const std::uint64_t e = m_.experts, width = m_.expert_ffn;
    out_.tensor(in_layer("ffn_gate_inp.weight"), {m_.hidden, e}, "F32");
    if (m_.router_bias) vector(in_layer("exp_probs_b.bias"), e);
    out_.tensor(in_layer("ffn_gate_exps.weight"), {m_.hidden, width, e}, type(Use::expert, m_.hidden));
    out_.tensor(in_layer("ffn_up_exps.weight"), {m_.hidden, width, e}, type(Use::expert, m_.hidden));
    out_.tensor(in_layer("ffn_down_exps.weight"), {width, m_.hidden, e}, type(Use::expert, width));
    if (m_.biases_and_sinks) {
      vector(in_layer("ffn_gate_inp.bias"), e);
      out_.tensor(in_layer("ffn_gate_exps.bias"), {width, e}, "F32");
      out_.tensor(in_layer("ffn_up_exps.bias"), {width, e}, "F32");
      out_.tensor(in_layer("ffn_down_exps.bias"), {m_.hidden, e}, "F32");
    }
    if (m_.shared_ffn > 0) {
      matrix(in_layer("ffn_gate_shexp.weight"), m_.hidden, m_.shared_ffn, Use::other);
      matrix(in_layer("ffn_up_shexp.weight"), m_.hidden, m_.shared_ffn, Use::other);
      matrix(in_layer("ffn_down_shexp.weight"), m_.shared_ffn, m_.hidden, Use::other);
    }
  }

  bool more_bits() const {
    const std::uint64_t eighth = m_.layers / 8;
    return layer_ < eighth || layer_ >= 7 * m_.layers / 8 || (layer_ - eighth) % 3 == 2;
  }

  std::string type(Use use, std::uint64_t row) const {
    const std::string wanted = preset_type(use);
    if (row % 256 == 0) return wanted;
    if (wanted == "Q4_K") return "Q5_0";
    if (wanted == "Q5_K") return "Q5_1";
    return wanted == "Q6_K" ? "Q8_0" : wanted;
  }

  std::string preset_type(Use use) const {
    if (preset_ == "F16" || preset_ == "Q8_0" || preset_ == "Q6_K") return preset_;
    if (preset_ == "MXFP4") return use == Use::expert ? "MXFP4" : "Q8_0";
    if (preset_ == "QAT_Q4_0") return use == Use::embedding ? "Q8_0" : "Q4_0";
    if (use == Use::head || (m_.tied && use == Use::embedding)) return "Q6_K";
    if (preset_ == "Q4_0") return "Q4_0";
    const std::string base = preset_.substr(0, 4);
    if (preset_ == "Q4_K_S") {
      const bool larger =
          (use == Use::attention_value && layer_ < 4) || (use == Use::down && layer_ < m_.layers / 8);
      return larger ? "Q5_K" : base;
    }
    if ((use == Use::attention_value || use == Use::down) && more_bits()) return "Q6_K";
    return use == Use::attention_value && m_.layers == 80 && base == "Q4_K" ? "Q5_K" : base;
  }

  const ModelShape& m_;
  std::string preset_;
  std::uint64_t layer_ = 0;
  GgufWriter out_;
};

}  // namespace

GgufWriter gguf_of(const ModelShape& model, const std::string& preset) {
  return Layout(model, preset).write();
}

}  // namespace roofplan::test
