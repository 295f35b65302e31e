#pragma once

#include "tests/llm_files/file_writers.hpp"

#include <cstdint>
#include <string>

namespace roofplan::test {

/// What is needed to lay out the tensors of a model in a GGUF file.
struct ModelShape {
  std::string arch;
  std::uint64_t layers = 0, hidden = 0, heads = 0, kv_heads = 0, head_dim = 0, ffn = 0, vocab = 0;
  bool tied = false, qkv_bias = false, qk_norm = false, four_norms = false, rope_table = false;
  std::uint64_t experts = 0, expert_ffn = 0, shared_ffn = 0, dense_layers = 0, top_k = 0;
  bool router_bias = false;
  bool biases_and_sinks = false;                                     // gpt-oss
  std::uint64_t q_rank = 0, kv_rank = 0, nope = 0, rope = 0, v = 0;  // MLA
  std::uint64_t window = 0;
};

ModelShape llama_3_1_8b();
ModelShape llama_3_1_70b();
ModelShape llama_2_7b();
ModelShape llama_2_13b();
ModelShape qwen2_5_7b();
ModelShape qwen2_5_32b();
ModelShape qwen2_5_72b();
ModelShape gemma_3_4b();
ModelShape gemma_3_27b();
ModelShape qwen3_30b_a3b();
ModelShape qwen3_235b_a22b();
ModelShape gpt_oss_20b();
ModelShape gpt_oss_120b();
ModelShape deepseek_v2_lite();
ModelShape deepseek_v3();

/// A GGUF file of that model in one of the presets F16, Q8_0, Q6_K, Q5_K_M, Q4_K_M, Q4_K_S, Q4_0, MXFP4, or
/// QAT_Q4_0 (tied embedding in Q8_0), by the rules that reproduce the published sizes of the presets.
GgufWriter gguf_of(const ModelShape& model, const std::string& preset);

}  // namespace roofplan::test
