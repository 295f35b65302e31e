#include "model/llm/files/gguf.hpp"
#include "tests/llm_files/model_shapes.hpp"

#include <catch2/catch.hpp>

#include <cmath>

using namespace roofplan;
using namespace roofplan::test;

namespace {

constexpr double kGiB = 1073741824.0;

struct PublishedSize {
  const char* name;
  ModelShape shape;
  const char* preset;
  double published_gib;     // rounded by its publisher to 0.01 GiB
  double stated_error;      // of the preset's rule against it, in percent
  std::int64_t parameters;  // of the published safetensors, the same weights; 0: not stated
};

model::GgufModel read_fixture(const ModelShape& shape, const std::string& preset) {
  const TemporaryFolder folder;
  const std::string path = folder.path("model.gguf");
  gguf_of(shape, preset).write(path);
  return model::read_gguf(path);
}

}  // namespace

TEST_CASE("GGUF headers give the published sizes of dense models within their stated errors", "[llm_files]") {
  // llama.cpp tools/quantize/README.md, gguf-parser-go README, llama-bench tables of ik_llama.cpp.
  const std::vector<PublishedSize> rows{
      {"Llama 3.1 8B Q4_K_S", llama_3_1_8b(), "Q4_K_S", 4.36, 0.071, 8030261248},
      {"Llama 3.1 8B Q4_K_M", llama_3_1_8b(), "Q4_K_M", 4.58, 0.098, 8030261248},
      {"Llama 3.1 8B Q5_K_M", llama_3_1_8b(), "Q5_K_M", 5.33, 0.037, 8030261248},
      {"Llama 3.1 8B Q6_K", llama_3_1_8b(), "Q6_K", 6.14, 0.070, 8030261248},
      {"Llama 3.1 8B Q8_0", llama_3_1_8b(), "Q8_0", 7.95, 0.039, 8030261248},
      {"Llama 3.1 8B F16", llama_3_1_8b(), "F16", 14.96, 0.013, 8030261248},
      {"Llama 3.1 70B Q4_K_M", llama_3_1_70b(), "Q4_K_M", 39.59, 0.007, 70553706496},
      {"Llama 2 7B Q4_0", llama_2_7b(), "Q4_0", 3.56, 0.067, 6738415616},
      {"Llama 2 13B Q4_0", llama_2_13b(), "Q4_0", 6.86, 0.011, 13015864320},
      {"Qwen2.5 7B Q4_K_M", qwen2_5_7b(), "Q4_K_M", 4.36, 0.094, 7615616512},
      {"Qwen2.5 7B Q8_0", qwen2_5_7b(), "Q8_0", 7.54, 0.043, 7615616512},
      {"Qwen2.5 7B F16", qwen2_5_7b(), "F16", 14.19, 0.030, 7615616512},
      {"Qwen2.5 32B Q4_K_M", qwen2_5_32b(), "Q4_K_M", 18.50, 0.095, 32763876352},
      {"Qwen2.5 32B Q5_K_M", qwen2_5_32b(), "Q5_K_M", 21.66, 0.005, 32763876352},
      {"Qwen2.5 72B Q4_K_M", qwen2_5_72b(), "Q4_K_M", 44.15, 0.009, 72706203648},
      {"Gemma 3 27B Q4_K_M", gemma_3_27b(), "Q4_K_M", 15.40, 0.027, 27009346304},
      {"Gemma 3 4B Q4_0 (QAT)", gemma_3_4b(), "QAT_Q4_0", 2.35, 0.149, 3880263168},
  };
  for (const PublishedSize& row : rows) {
    INFO(row.name);
    const model::GgufModel model = read_fixture(row.shape, row.preset);
    const double gib = static_cast<double>(model.inventory.total.bytes.count()) / kGiB;
    CHECK(100.0 * std::abs(gib / row.published_gib - 1.0) <= row.stated_error + 0.0006);
    CHECK(model.inventory.total.parameters == row.parameters);
    CHECK(model.inventory.file_bytes > model.inventory.total.bytes);
    CHECK(model.inventory.text_unrecognised.tensors == 0);
  }
}

TEST_CASE("GGUF headers give the published sizes of mixture-of-experts models within their stated errors",
          "[llm_files]") {
  // llama.cpp benches/dgx-spark.md and llama-bench tables of ik_llama.cpp.
  const std::vector<PublishedSize> rows{
      {"DeepSeek V2 Lite F16", deepseek_v2_lite(), "F16", 29.26, 0.007, 15706484224},
      {"DeepSeek V3 Q8_0", deepseek_v3(), "Q8_0", 664.29, 0.0005, 671026419200},
      {"Qwen3 30B-A3B Q8_0", qwen3_30b_a3b(), "Q8_0", 30.25, 0.010, 30532122624},
      {"Qwen3 235B-A22B Q8_0", qwen3_235b_a22b(), "Q8_0", 232.77, 0.001, 235093634560},
      {"gpt-oss-20b MXFP4", gpt_oss_20b(), "MXFP4", 11.27, 0.037, 20914757184},
      {"gpt-oss-120b MXFP4", gpt_oss_120b(), "MXFP4", 59.02, 0.003, 116829156672},
  };
  for (const PublishedSize& row : rows) {
    INFO(row.name);
    const model::GgufModel model = read_fixture(row.shape, row.preset);
    const double gib = static_cast<double>(model.inventory.total.bytes.count()) / kGiB;
    CHECK(100.0 * std::abs(gib / row.published_gib - 1.0) <= row.stated_error + 0.0006);
    CHECK(model.inventory.total.parameters == row.parameters);
    CHECK(model.inventory.text_unrecognised.tensors == 0);
  }
}
