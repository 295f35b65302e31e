#include "model/catalog/model_catalog.hpp"

#include "model/catalog/model_names.hpp"
#include "model/llm/parameters.hpp"
#include "model/units/error.hpp"

#include <catch2/catch.hpp>

#include <set>
#include <string>

using namespace roofplan::model;

namespace {

const DataFiles& shipped() {
  static const DataFiles kFiles;
  return kFiles;
}

const ModelCatalog& models() {
  static const ModelCatalog kCatalog(shipped());
  return kCatalog;
}

}  // namespace

TEST_CASE("every model of the catalogue reads, with sources that are there", "[catalog]") {
  const Sources sources(shipped());
  CHECK(models().ids().size() >= 92);
  for (const std::string& id : models().all_ids()) {
    INFO(id);
    const Architecture model = models().find(id);
    CHECK(model.id == id);
    CHECK(count_parameters(model).total > 0);
    CHECK(model.layers() > 0);
    const ModelEntry entry = models().entry(id, sources);
    CHECK_FALSE(entry.sources.empty());
  }
}

TEST_CASE("models are found by id, Hugging Face name and the ways people write them", "[catalog]") {
  const auto id_of = [](const char* name) { return models().find(name).id; };
  CHECK(id_of("llama-3.1-70b") == "llama-3.1-70b");
  CHECK(id_of("meta-llama/Llama-3.1-70B") == "llama-3.1-70b");
  CHECK(id_of("LLAMA3.1_405B") == "llama-3.1-405b");
  CHECK(id_of("Llama-3.1-405B Instruct") == "llama-3.1-405b");
  CHECK(id_of("Llama-3.1-405B pretrain") == "llama-3.1-405b");
  CHECK(id_of("Llama-2-70B LoRA") == "llama-2-70b");
  CHECK(id_of("Llama 3.3 70B") == "llama-3.3-70b");
  CHECK(id_of("unsloth/Llama-3.3-70B-Instruct") == "llama-3.3-70b");
  CHECK(id_of("DeepSeekV3 (dropless)") == "deepseek-v3");
  CHECK(id_of("DeepSeekV3 (w/o MTP)") == "deepseek-v3");
  CHECK(id_of("DeepSeek-R1-0528 FP4-v2") == "deepseek-r1-nvfp4");
  CHECK(id_of("DeepSeekV4 Flash") == "deepseek-v4-flash");
  CHECK(id_of("GPT OSS 120B") == "gpt-oss-120b");
  CHECK(id_of("Qwen3_235B_a22B (tokendrop)") == "qwen3-235b-a22b");
  CHECK(id_of("Qwen3.6-27B (dense)") == "qwen3.6-27b");
  CHECK(id_of("gemma-3-4b-it-qat") == "gemma-3-4b");
  CHECK(id_of("Gemma3-27B QAT") == "gemma-3-27b");
  CHECK(id_of("GLM-4.7-Flash 30B-A3B") == "glm-4.7-flash");
  CHECK(id_of("Nemotron_3_Ultra") == "nemotron-3-ultra-550b-a55b");
  CHECK(id_of("Qwen3-30B-A3B-Thinking-2507") == "qwen3-30b-a3b-2507");
  CHECK(id_of("DeepSeek-R1-14B Q4") == "deepseek-r1-distill-qwen-14b");
}

TEST_CASE("a longer name is never taken for a shorter one it begins with", "[catalog]") {
  CHECK(models().find("glm-4.5-air").id == "glm-4.5-air");
  CHECK(models().find("deepseek-v3.2").id == "deepseek-v3.2");
  CHECK(models().find("qwen3-coder-30b-a3b").id == "qwen3-coder-30b-a3b");
  CHECK_FALSE(models().contains("qwen3-17b"));
  CHECK_FALSE(models().contains("llama-3.1-8b-something"));
  CHECK_FALSE(models().contains("qwen3"));
  CHECK_FALSE(models().contains(""));
  CHECK(fold_model_name("Qwen3-1.7B") != fold_model_name("Qwen3-17B"));
  CHECK(fold_model_name("Qwen3 1-7B") != fold_model_name("Qwen3-1.7B"));
}

TEST_CASE("an unknown model is refused with the nearest names", "[catalog]") {
  try {
    models().find("lama-3.1-70b");
    FAIL("found");
  } catch (const InputError& e) {
    CHECK(e.kind() == InputError::Kind::usage);
    const std::set<std::string> nearest(e.nearest().begin(), e.nearest().end());
    CHECK(nearest.count("llama-3.1-70b") == 1);
  }
}

TEST_CASE("a release of the same shape has its own context and format", "[catalog]") {
  const Architecture base = models().find("llama-3.1-8b"), old = models().find("llama-3-8b");
  CHECK(base.max_context == 131'072);
  CHECK(old.max_context == 8'192);
  CHECK(count_parameters(base).total == count_parameters(old).total);
  CHECK(models().find("Qwen/Qwen3-32B-FP8").native.of(TensorClass::dense_ffn) == "fp8_block");
  const Architecture r1 = models().find("nvidia/DeepSeek-R1-NVFP4");
  CHECK(r1.native.of(TensorClass::expert) == "nvfp4");
  CHECK(r1.native.of(TensorClass::attention) == "bf16");
}

TEST_CASE("a format at the end of a name is applied and said", "[catalog]") {
  const Architecture fp8 = models().find("someone/Mistral-Small-24B-Instruct-2501-FP8");
  CHECK(fp8.id == "mistral-small-3");
  CHECK(fp8.native.of(TensorClass::dense_ffn) == "fp8");
  REQUIRE_FALSE(fp8.assumptions.empty());
  CHECK_THAT(fp8.assumptions.back(), Catch::Contains("fp8"));
  CHECK(models().find("gpt-oss-120b").native.of(TensorClass::expert) == "mxfp4");
  CHECK(models().find("deepseek-v3").native.of(TensorClass::expert) == "fp8_block");
  CHECK(models().find("kimi-k2.5").native.of(TensorClass::expert) == "int4_g32");
}
