#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace roofplan::model {

/// How GGUF stores a row: blocks of `block` elements in `bytes` bytes each.
struct GgmlType {
  std::uint32_t id;
  std::string_view name;    ///< as GGUF tools print it
  std::string_view format;  ///< id in data/formats.json, where weights are ever stored so
  std::int64_t block;
  std::int64_t bytes;
};

/// The tensor types of GGUF. Ids: enum ggml_type in ggml/include/ggml.h of ggml-org/llama.cpp; numbers that
/// are absent were withdrawn. Blocks: struct definitions and static asserts in src/ggml-common.h of
/// ggml-org/ggml@d99724f.
inline constexpr std::array<GgmlType, 35> kGgmlTypes{{
    {0, "F32", "fp32", 1, 4},
    {1, "F16", "fp16", 1, 2},
    {2, "Q4_0", "q4_0", 32, 18},
    {3, "Q4_1", "q4_1", 32, 20},
    {6, "Q5_0", "q5_0", 32, 22},
    {7, "Q5_1", "q5_1", 32, 24},
    {8, "Q8_0", "q8_0", 32, 34},
    {9, "Q8_1", "q8_1", 32, 36},
    {10, "Q2_K", "q2_k", 256, 84},
    {11, "Q3_K", "q3_k", 256, 110},
    {12, "Q4_K", "q4_k", 256, 144},
    {13, "Q5_K", "q5_k", 256, 176},
    {14, "Q6_K", "q6_k", 256, 210},
    {15, "Q8_K", "q8_k", 256, 292},
    {16, "IQ2_XXS", "iq2_xxs", 256, 66},
    {17, "IQ2_XS", "iq2_xs", 256, 74},
    {18, "IQ3_XXS", "iq3_xxs", 256, 98},
    {19, "IQ1_S", "iq1_s", 256, 50},
    {20, "IQ4_NL", "iq4_nl", 32, 18},
    {21, "IQ3_S", "iq3_s", 256, 110},
    {22, "IQ2_S", "iq2_s", 256, 82},
    {23, "IQ4_XS", "iq4_xs", 256, 136},
    {24, "I8", "int8", 1, 1},
    {25, "I16", "int16", 1, 2},
    {26, "I32", "int32", 1, 4},
    {27, "I64", "int64", 1, 8},
    {28, "F64", "fp64", 1, 8},
    {29, "IQ1_M", "iq1_m", 256, 56},
    {30, "BF16", "bf16", 1, 2},
    {34, "TQ1_0", "tq1_0", 256, 54},
    {35, "TQ2_0", "tq2_0", 256, 66},
    {39, "MXFP4", "mxfp4_ggml", 32, 17},
    {40, "NVFP4", "nvfp4_ggml", 64, 36},
    {41, "Q1_0", "q1_0", 128, 18},
    {42, "Q2_0", "q2_0", 64, 18},
}};

/// The type with that id, or null: withdrawn, private to a fork, or newer than this table.
constexpr const GgmlType* find_ggml_type(std::uint32_t id) {
  for (const GgmlType& type : kGgmlTypes) {
    if (type.id == id) return &type;
  }
  return nullptr;
}

}  // namespace roofplan::model
