#include "model/catalog/model_reference.hpp"

#include "model/llm/model_facts.hpp"
#include "model/units/error.hpp"

#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>

using namespace roofplan::model;

namespace {

struct Folder {
  std::filesystem::path path = std::filesystem::temp_directory_path() / "roofplan_model_reference_test";
  Folder() { std::filesystem::create_directories(path); }
  ~Folder() { std::filesystem::remove_all(path); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path / name) << text;
    return (path / name).string();
  }
};

const char* const kConfig =
    R"({"architectures":["NewModelForCausalLM"],"hidden_size":64,"num_hidden_layers":2,"num_attention_heads":4,
    "intermediate_size":128,"vocab_size":100})";

}  // namespace

TEST_CASE("a MODEL is a size, a file or a name", "[catalog]") {
  const Catalog catalog;
  CHECK(find_model(catalog, "llama-3.1-8b").architecture.id == "llama-3.1-8b");
  CHECK(model_facts(find_model(catalog, "dense:70B").architecture).params.total ==
        Approx(70e9).epsilon(0.005));
  CHECK(model_facts(find_model(catalog, "moe:120B-a5B").architecture).params.total ==
        Approx(120e9).epsilon(0.005));
  CHECK_THROWS_AS(find_model(catalog, "no-such-model"), InputError);
  CHECK_THROWS_AS(find_model(catalog, "no/such/config.json"), InputError);
}

TEST_CASE("an unknown architecture is read only when that is asked for", "[catalog]") {
  const Folder folder;
  const std::string path = folder.write("config.json", kConfig);
  const Catalog catalog;
  CHECK_THROWS_AS(find_model(catalog, path), InputError);
  const ModelFile model = find_model(catalog, path, true);
  CHECK(model.architecture.layers() == 2);
  REQUIRE(model.architecture.assumptions.size() == 1);
  CHECK_THAT(model.architecture.assumptions[0], Catch::Contains("NewModelForCausalLM"));
}

TEST_CASE("a quantisation file belongs to the config of its name", "[catalog]") {
  const Folder folder;
  std::string text = kConfig;
  text.replace(text.find("NewModel"), 8, "Llama");
  const std::string path = folder.write("some-model.json", text);
  folder.write("some-model.hf_quant_config.json",
               R"({"quantization":{"quant_algo":"NVFP4","kv_cache_quant_algo":"FP8","exclude_modules":
               ["lm_head","model.layers.0.self_attn*","model.layers.1.self_attn*"]}})");
  const Architecture model = find_model(Catalog(), path).architecture;
  CHECK(model.native.of(TensorClass::dense_ffn) == "nvfp4");
  CHECK(model.native.of(TensorClass::attention) == "bf16");
  CHECK(model.native.kv == "fp8");
}

TEST_CASE("layer groups add up to the whole model", "[catalog]") {
  const Catalog catalog;
  for (const char* name : {"qwen3.5-35b-a3b", "gpt-oss-120b", "deepseek-v3.2", "nemotron-3-nano-30b-a3b",
                           "gemma-4-26b-a4b", "deepseek-v4-flash"}) {
    INFO(name);
    const Architecture model = catalog.models().find(name);
    const ModelFacts facts = model_facts(model);
    std::int64_t layers = 0, params = 0;
    ByteCount state, full, window;
    for (const LayerGroupFacts& group : facts.layer_groups) {
      layers += group.layers;
      params += group.params;
      state += group.state_bytes_per_sequence;
      (group.window ? window : full) += group.kv_bytes_per_token;
    }
    CHECK(layers == facts.layers);
    CHECK(params + model.final_norm_elements + model.vocab * model.hidden * (model.tied_embeddings ? 1 : 2) ==
          facts.params.total);
    CHECK(state == facts.cache.state);
    if (std::string(name) != "deepseek-v4-flash") {
      CHECK(full == facts.cache.per_token);
      CHECK(window == facts.cache.window_per_token);
    }
  }
}
