#include "model/llm/files/model_path.hpp"

#include "model/llm/files/gguf_types.hpp"
#include "model/llm/parameters.hpp"
#include "model/units/error.hpp"
#include "tests/llm_files/model_shapes.hpp"
#include "tests/memory/shipped_memory.hpp"

#include <catch2/catch.hpp>
#include <fmt/format.h>

using namespace roofplan::model;
using namespace roofplan::test;

namespace {

constexpr std::string_view kConfig =
    R"({"architectures":["LlamaForCausalLM"],"model_type":"llama","hidden_size":64,"num_hidden_layers":2,)"
    R"("num_attention_heads":2,"num_key_value_heads":1,"intermediate_size":128,"vocab_size":256,)"
    R"("tie_word_embeddings":false,"torch_dtype":"bfloat16","max_position_embeddings":2048})";
// Embedding and head 2 x 256 x 64, norms 5 x 64, two layers of 2 x 64 x 64 + 2 x 32 x 64 + 3 x 128 x 64.
constexpr std::int64_t kParameters = 2 * 256 * 64 + 5 * 64 + 2 * (2 * 64 * 64 + 2 * 32 * 64 + 3 * 128 * 64);

void layer(SafetensorsWriter& out, int i) {
  const std::string prefix = fmt::format("model.layers.{}.", i);
  for (const char* name : {"self_attn.q_proj", "self_attn.o_proj"})
    out.tensor(prefix + name + ".weight", "BF16", {64, 64});
  for (const char* name : {"self_attn.k_proj", "self_attn.v_proj"})
    out.tensor(prefix + name + ".weight", "BF16", {32, 64});
  for (const char* name : {"mlp.gate_proj", "mlp.up_proj"})
    out.tensor(prefix + name + ".weight", "BF16", {128, 64});
  out.tensor(prefix + "mlp.down_proj.weight", "BF16", {64, 128});
  for (const char* name : {"input_layernorm", "post_attention_layernorm"})
    out.tensor(prefix + name + ".weight", "BF16", {64});
}

SafetensorsWriter outer() {
  SafetensorsWriter out;
  out.tensor("model.embed_tokens.weight", "BF16", {256, 64})
      .tensor("lm_head.weight", "BF16", {256, 64})
      .tensor("model.norm.weight", "BF16", {64});
  return out;
}

/// A folder with config.json and two parts.
void write_checkpoint(const TemporaryFolder& folder) {
  folder.write("config.json", kConfig);
  SafetensorsWriter first = outer(), second;
  layer(first, 0);
  layer(second, 1);
  first.write(folder.path("model-00001-of-00002.safetensors"));
  second.write(folder.path("model-00002-of-00002.safetensors"));
}

std::string index_of(const TemporaryFolder& folder) {
  write_checkpoint(folder);
  SafetensorsWriter first = outer(), second;
  layer(first, 0);
  layer(second, 1);
  std::string map;
  for (const auto& [file, names] : {std::pair("model-00001-of-00002", first.names()),
                                    std::pair("model-00002-of-00002", second.names())}) {
    for (const std::string& name : names)
      map += fmt::format(R"({}"{}":"{}.safetensors")", map.empty() ? "" : ",", name, file);
  }
  return fmt::format(R"({{"metadata":{{"total_size":{}}},"weight_map":{{{}}}}})", 2 * kParameters, map);
}

}  // namespace

TEST_CASE("a config.json alone gives the architecture without files", "[llm_files]") {
  const TemporaryFolder folder;
  folder.write("config.json", kConfig);
  const ModelFile model = load_model_path(folder.path("config.json"));
  CHECK_FALSE(model.inventory);
  CHECK(count_parameters(model.architecture).total == kParameters);
  CHECK(model.architecture.id == folder.path("config.json"));
  CHECK_FALSE(load_model_path(folder.path()).inventory);
}

TEST_CASE("folder, index and any part lead to the same checkpoint", "[llm_files]") {
  const TemporaryFolder folder;
  const std::string index = index_of(folder);
  const auto check = [&](const std::string& name) {
    INFO(name);
    const ModelFile model = load_model_path(folder.path(name));
    REQUIRE(model.inventory);
    CHECK(model.inventory->total.parameters == kParameters);
    CHECK(model.inventory->total.bytes.count() == 2 * kParameters);
    CHECK(model.notes.empty());
  };
  for (const char* name : {"", "model-00002-of-00002.safetensors"}) check(name);
  folder.write("model.safetensors.index.json", index);
  for (const char* name : {"", "model.safetensors.index.json", "model-00001-of-00002.safetensors"})
    check(name);
}

TEST_CASE("weights that a folder holds twice count once, adapters not at all", "[llm_files]") {
  const TemporaryFolder folder;
  write_checkpoint(folder);
  SafetensorsWriter all = outer();
  layer(all, 0);
  layer(all, 1);
  all.write(folder.path("consolidated.safetensors"));
  SafetensorsWriter()
      .tensor("lora_A.weight", "BF16", {8, 64})
      .write(folder.path("adapter_model.safetensors"));
  CHECK(load_model_path(folder.path()).inventory->total.parameters == kParameters);
  CHECK(load_model_path(folder.path("consolidated.safetensors")).inventory->total.parameters == kParameters);
}

TEST_CASE("a missing part, config or file is missing, not guessed", "[llm_files]") {
  const TemporaryFolder folder;
  write_checkpoint(folder);
  const auto kind_of = [&](const std::string& path) {
    try {
      load_model_path(path);
    } catch (const InputError& error) {
      return error.kind();
    }
    return InputError::Kind::usage;
  };
  std::filesystem::remove(folder.path("model-00002-of-00002.safetensors"));
  CHECK(kind_of(folder.path()) == InputError::Kind::missing);
  std::filesystem::remove(folder.path("config.json"));
  CHECK(kind_of(folder.path("model-00001-of-00002.safetensors")) == InputError::Kind::missing);
  CHECK(kind_of(folder.path()) == InputError::Kind::missing);
  CHECK(kind_of(folder.path("nothing.gguf")) == InputError::Kind::missing);
  folder.write("notes.txt", "text");
  CHECK(kind_of(folder.path("notes.txt")) == InputError::Kind::content);
  folder.write("broken.gguf", "GGUX");
  CHECK(kind_of(folder.path("broken.gguf")) == InputError::Kind::content);
}

TEST_CASE("files that are not the whole model do not stand for its size", "[llm_files]") {
  const TemporaryFolder folder;
  folder.write("config.json", kConfig);
  outer().write(folder.path("model.safetensors"));
  const ModelFile model = load_model_path(folder.path());
  CHECK_FALSE(model.architecture.stored);
  REQUIRE(model.notes.size() == 2);
  CHECK_THAT(model.notes[1], Catch::Contains("not the whole model"));
  write_checkpoint(folder);
  std::filesystem::remove(folder.path("model.safetensors"));
  CHECK(load_model_path(folder.path()).architecture.stored);
}

TEST_CASE("a head stored beside a tied embedding is told apart from more parameters", "[llm_files]") {
  const TemporaryFolder folder;
  write_checkpoint(folder);
  std::string tied(kConfig);
  tied.replace(tied.find("false"), 5, "true");
  folder.write("config.json", tied);
  const ModelFile model = load_model_path(folder.path());
  REQUIRE(model.notes.size() == 1);
  CHECK_THAT(model.notes[0], Catch::Contains("tied"));
  CHECK(count_parameters(model.architecture).total == kParameters - 256 * 64);
}

TEST_CASE("draft modules are what the files hold, not what the config declares", "[llm_files]") {
  const TemporaryFolder folder;
  write_checkpoint(folder);
  SafetensorsWriter draft;
  draft.tensor("model.layers.2.eh_proj.weight", "BF16", {64, 128})
      .tensor("model.layers.2.embed_tokens.weight", "BF16", {256, 64});
  draft.write(folder.path("mtp.safetensors"));
  const SideModules side = load_model_path(folder.path()).architecture.side;
  CHECK(side.mtp_params == 64 * 128);
  CHECK(side.duplicate_params == 256 * 64);
}

TEST_CASE("a folder with one GGUF model is that model, and its projector is said", "[llm_files]") {
  const TemporaryFolder folder;
  gguf_of(llama_2_7b(), "Q4_0").write(folder.path("a.gguf"));
  GgufWriter()
      .text("general.architecture", "clip")
      .tensor("v.x.weight", {32, 32}, "F16")
      .write(folder.path("mmproj-a.gguf"));
  const ModelFile model = load_model_path(folder.path());
  CHECK(count_parameters(model.architecture).total == 6738415616);
  REQUIRE(model.notes.size() == 1);
  CHECK_THAT(model.notes[0], Catch::Contains("mmproj-a.gguf") && Catch::Contains("2048 bytes"));
  CHECK_THROWS_WITH(load_model_path(folder.path("mmproj-a.gguf")), Catch::Contains("projector"));
  std::filesystem::copy_file(folder.path("mmproj-a.gguf"), folder.path("b.gguf"));
  CHECK_THROWS_WITH(load_model_path(folder.path()), Catch::Contains("2 GGUF models"));
  std::filesystem::rename(folder.path("a.gguf"), folder.path("sha256-0123"));
  CHECK(load_model_path(folder.path("sha256-0123")).architecture.architecture == "llama");
}

TEST_CASE("a path is told from a name", "[llm_files]") {
  CHECK(is_model_path("x.gguf"));
  CHECK(is_model_path("some/config.json"));
  CHECK(is_model_path(TemporaryFolder().path("..")));
  CHECK(is_model_path("/no/such/folder"));
  CHECK(is_model_path("./no-such-folder"));
  CHECK(is_model_path("../no-such-folder"));
  CHECK_FALSE(is_model_path("llama-3.1-70b"));
  CHECK_FALSE(is_model_path("meta-llama/Llama-3.1-70B"));
  CHECK_FALSE(is_model_path(""));
}

TEST_CASE("the blocks of GGUF types are those of the shipped number formats", "[llm_files]") {
  int known = 0;
  for (const GgmlType& type : kGgmlTypes) {
    INFO(type.name);
    for (const NumberFormat& format : shipped_formats().formats()) {
      if (format.id != type.format || format.block_elements == 0) continue;
      ++known;
      CHECK(format.block_elements == type.block);
      CHECK(format.block_bytes == type.bytes);
    }
  }
  CHECK(known >= 24);
}
