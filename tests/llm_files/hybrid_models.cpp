#include "tests/llm_files/hybrid_models.hpp"

#include <fmt/format.h>

#include <utility>

namespace roofplan::test {
namespace {

/// Writes "blk.N.name" tensors of one layer.
class Block {
 public:
  Block(GgufWriter& out, int layer, std::string type = "Q8_0")
      : out_(out), prefix_(fmt::format("blk.{}.", layer)), type_(std::move(type)) {}

  Block& matrix(const std::string& name, const std::vector<std::uint64_t>& shape) {
    out_.tensor(prefix_ + name, shape, shape.front() % 32 == 0 ? type_ : "F16");
    return *this;
  }
  Block& vector(const std::string& name, std::uint64_t n) {
    out_.tensor(prefix_ + name, {n}, "F32");
    return *this;
  }
  Block& attention(std::uint64_t hidden, std::uint64_t q_rows, std::uint64_t attended,
                   std::uint64_t kv_rows) {
    return matrix("attn_q.weight", {hidden, q_rows})
        .matrix("attn_k.weight", {hidden, kv_rows})
        .matrix("attn_v.weight", {hidden, kv_rows})
        .matrix("attn_output.weight", {attended, hidden});
  }
  Block& gated_ffn(std::uint64_t hidden, std::uint64_t width) {
    return matrix("ffn_gate.weight", {hidden, width})
        .matrix("ffn_up.weight", {hidden, width})
        .matrix("ffn_down.weight", {width, hidden});
  }

 private:
  GgufWriter& out_;
  std::string prefix_, type_;
};

GgufWriter begin(const std::string& arch, const std::vector<std::pair<std::string, std::uint32_t>>& keys) {
  GgufWriter out;
  out.text("general.architecture", arch);
  for (const auto& [key, value] : keys) out.integer(arch + "." + key, value);
  return out;
}

void outer(GgufWriter& out, std::uint64_t hidden, std::uint64_t vocab, bool head) {
  out.tensor("token_embd.weight", {hidden, vocab}, "Q8_0").tensor("output_norm.weight", {hidden}, "F32");
  if (head) out.tensor("output.weight", {hidden, vocab}, "Q8_0");
}

}  // namespace

GgufWriter qwen3_5_27b_gguf() {
  GgufWriter out = begin("qwen35", {{"block_count", 64},
                                    {"embedding_length", 5120},
                                    {"context_length", 262144},
                                    {"attention.head_count", 24},
                                    {"attention.head_count_kv", 4},
                                    {"attention.key_length", 256},
                                    {"attention.value_length", 256},
                                    {"full_attention_interval", 4},
                                    {"ssm.conv_kernel", 4},
                                    {"ssm.state_size", 128},
                                    {"ssm.group_count", 16},
                                    {"ssm.time_step_rank", 48},
                                    {"ssm.inner_size", 6144}});
  outer(out, 5120, 248320, true);
  for (int i = 0; i < 64; ++i) {
    Block block(out, i);
    block.vector("attn_norm.weight", 5120).vector("post_attention_norm.weight", 5120).gated_ffn(5120, 17408);
    if (i % 4 == 3) {
      block.attention(5120, 2 * 24 * 256, 24 * 256, 4 * 256)
          .vector("attn_q_norm.weight", 256)
          .vector("attn_k_norm.weight", 256);
      continue;
    }
    const std::uint64_t mixed = 2 * 16 * 128 + 48 * 128;
    block.matrix("attn_qkv.weight", {5120, mixed})
        .matrix("attn_gate.weight", {5120, 6144})
        .matrix("ssm_conv1d.weight", {4, mixed});
    block.vector("ssm_a", 48)
        .vector("ssm_dt.bias", 48)
        .matrix("ssm_beta.weight", {5120, 48})
        .matrix("ssm_alpha.weight", {5120, 48});
    block.vector("ssm_norm.weight", 128).matrix("ssm_out.weight", {6144, 5120});
  }
  return out;
}

GgufWriter jamba_1_5_mini_gguf() {
  GgufWriter out = begin("jamba", {{"block_count", 32},
                                   {"embedding_length", 4096},
                                   {"context_length", 262144},
                                   {"attention.head_count", 32},
                                   {"expert_count", 16},
                                   {"expert_used_count", 2},
                                   {"ssm.conv_kernel", 4},
                                   {"ssm.state_size", 16},
                                   {"ssm.time_step_rank", 256},
                                   {"ssm.inner_size", 8192}});
  std::vector<std::int32_t> kv_heads(32, 0);
  for (const std::size_t i : {4U, 12U, 20U, 28U}) kv_heads[i] = 8;
  out.integers("jamba.attention.head_count_kv", kv_heads);
  outer(out, 4096, 65536, true);
  for (int i = 0; i < 32; ++i) {
    Block block(out, i);
    block.vector("attn_norm.weight", 4096).vector("ffn_norm.weight", 4096);
    if (kv_heads[static_cast<std::size_t>(i)] > 0) {
      block.attention(4096, 4096, 4096, 1024);
    } else {
      block.matrix("ssm_in.weight", {4096, 16384})
          .matrix("ssm_conv1d.weight", {4, 8192})
          .vector("ssm_conv1d.bias", 8192);
      block.matrix("ssm_x.weight", {8192, 288})
          .matrix("ssm_dt.weight", {256, 8192})
          .vector("ssm_dt.bias", 8192);
      block.matrix("ssm_a", {16, 8192}).vector("ssm_d", 8192).matrix("ssm_out.weight", {8192, 4096});
      block.vector("ssm_dt_norm.weight", 256).vector("ssm_b_norm.weight", 16).vector("ssm_c_norm.weight", 16);
    }
    if (i % 2 == 0) {
      block.gated_ffn(4096, 14336);
    } else {
      block.matrix("ffn_gate_inp.weight", {4096, 16}).matrix("ffn_gate_exps.weight", {4096, 14336, 16});
      block.matrix("ffn_up_exps.weight", {4096, 14336, 16}).matrix("ffn_down_exps.weight", {14336, 4096, 16});
    }
  }
  return out;
}

GgufWriter nemotron_3_nano_gguf() {
  const std::string pattern = "MEMEM*EMEMEM*EMEMEM*EMEMEM*EMEMEM*EMEMEMEM*EMEMEMEME";
  GgufWriter out = begin("nemotron_h_moe", {{"block_count", 52},
                                            {"embedding_length", 2688},
                                            {"context_length", 262144},
                                            {"attention.head_count", 32},
                                            {"attention.key_length", 128},
                                            {"attention.value_length", 128},
                                            {"expert_count", 128},
                                            {"expert_used_count", 6},
                                            {"ssm.conv_kernel", 4},
                                            {"ssm.state_size", 128},
                                            {"ssm.group_count", 8},
                                            {"ssm.time_step_rank", 64},
                                            {"ssm.inner_size", 4096}});
  std::vector<std::int32_t> kv_heads;
  for (const char kind : pattern) kv_heads.push_back(kind == '*' ? 2 : 0);
  out.integers("nemotron_h_moe.attention.head_count_kv", kv_heads);
  outer(out, 2688, 131072, true);
  for (int i = 0; i < 52; ++i) {
    Block block(out, i);
    block.vector("attn_norm.weight", 2688);
    const char kind = pattern[static_cast<std::size_t>(i)];
    if (kind == '*') {
      block.attention(2688, 4096, 4096, 256);
    } else if (kind == 'M') {
      block.matrix("ssm_in.weight", {2688, 10304})
          .matrix("ssm_conv1d.weight", {4, 6144})
          .vector("ssm_conv1d.bias", 6144);
      block.vector("ssm_dt.bias", 64).matrix("ssm_a", {1, 64}).matrix("ssm_d", {1, 64});
      block.matrix("ssm_norm.weight", {512, 8}).matrix("ssm_out.weight", {4096, 2688});
    } else {
      block.matrix("ffn_gate_inp.weight", {2688, 128}).vector("exp_probs_b.bias", 128);
      block.matrix("ffn_up_exps.weight", {2688, 1856, 128}).matrix("ffn_down_exps.weight", {1856, 2688, 128});
      block.matrix("ffn_up_shexp.weight", {2688, 3712}).matrix("ffn_down_shexp.weight", {3712, 2688});
    }
  }
  return out;
}

GgufWriter gemma_4_gguf(int layers, std::uint64_t hidden, std::uint64_t heads, std::uint64_t kv_heads,
                        std::uint64_t global_kv_heads, std::uint64_t ffn) {
  GgufWriter out = begin("gemma4", {{"block_count", static_cast<std::uint32_t>(layers)},
                                    {"embedding_length", static_cast<std::uint32_t>(hidden)},
                                    {"attention.head_count", static_cast<std::uint32_t>(heads)},
                                    {"attention.key_length", 512},
                                    {"attention.value_length", 512},
                                    {"attention.key_length_swa", 256},
                                    {"attention.value_length_swa", 256},
                                    {"attention.sliding_window", 1024},
                                    {"context_length", 262144}});
  std::vector<std::int32_t> per_layer;
  std::vector<bool> windowed;
  for (int i = 0; i < layers; ++i) {
    windowed.push_back(i % 6 != 5);
    per_layer.push_back(static_cast<std::int32_t>(windowed.back() ? kv_heads : global_kv_heads));
  }
  out.integers("gemma4.attention.head_count_kv", per_layer)
      .flags("gemma4.attention.sliding_window_pattern", windowed);
  outer(out, hidden, 262144, false);
  for (int i = 0; i < layers; ++i) {
    Block block(out, i);
    const bool slides = i % 6 != 5;
    const std::uint64_t width = slides ? 256 : 512;
    block.matrix("attn_q.weight", {hidden, heads * width})
        .matrix("attn_output.weight", {heads * width, hidden});
    block.matrix("attn_k.weight", {hidden, (slides ? kv_heads : global_kv_heads) * width});
    if (slides) block.matrix("attn_v.weight", {hidden, kv_heads * width});
    block.vector("attn_q_norm.weight", width).vector("attn_k_norm.weight", width).gated_ffn(hidden, ffn);
    for (const char* norm : {"attn_norm", "post_attention_norm", "ffn_norm", "post_ffw_norm"}) {
      block.vector(fmt::format("{}.weight", norm), hidden);
    }
    block.vector("layer_output_scale.weight", 1);
  }
  return out;
}

GgufWriter bge_m3_gguf() {
  GgufWriter out = begin("bert", {{"block_count", 24},
                                  {"embedding_length", 1024},
                                  {"attention.head_count", 16},
                                  {"context_length", 8192}});
  out.flag("bert.attention.causal", false);
  out.tensor("token_embd.weight", {1024, 250002}, "F16").tensor("position_embd.weight", {1024, 8192}, "F32");
  out.tensor("token_types.weight", {1024}, "F32")
      .tensor("token_embd_norm.weight", {1024}, "F32")
      .tensor("token_embd_norm.bias", {1024}, "F32");
  for (int i = 0; i < 24; ++i) {
    Block block(out, i, "F16");
    block.attention(1024, 1024, 1024, 1024)
        .matrix("ffn_up.weight", {1024, 4096})
        .matrix("ffn_down.weight", {4096, 1024});
    for (const char* name : {"attn_q", "attn_k", "attn_v", "attn_output", "ffn_down"})
      block.vector(fmt::format("{}.bias", name), 1024);
    block.vector("ffn_up.bias", 4096);
    for (const char* norm : {"attn_output_norm", "layer_output_norm"}) {
      block.vector(fmt::format("{}.weight", norm), 1024).vector(fmt::format("{}.bias", norm), 1024);
    }
  }
  return out;
}

}  // namespace roofplan::test
