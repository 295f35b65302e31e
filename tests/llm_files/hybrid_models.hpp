#pragma once

#include "tests/llm_files/file_writers.hpp"

namespace roofplan::test {

/// GGUF files of models whose layers differ, every matrix in Q8_0 or F16. The shapes are the published ones.
GgufWriter qwen3_5_27b_gguf();
GgufWriter jamba_1_5_mini_gguf();
GgufWriter nemotron_3_nano_gguf();
/// Gemma 4: five windowed layers with `kv_heads` of 256, then a global one with `global_kv_heads` of 512
/// whose values are its keys.
GgufWriter gemma_4_gguf(int layers, std::uint64_t hidden, std::uint64_t heads, std::uint64_t kv_heads,
                        std::uint64_t global_kv_heads, std::uint64_t ffn);
/// An encoder of the shape of bge-m3.
GgufWriter bge_m3_gguf();

}  // namespace roofplan::test
