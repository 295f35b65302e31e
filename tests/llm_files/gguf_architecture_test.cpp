#include "model/llm/files/gguf_architecture.hpp"

#include "model/llm/kv_cache.hpp"
#include "model/llm/parameters.hpp"
#include "model/units/error.hpp"
#include "tests/llm_files/hybrid_models.hpp"
#include "tests/llm_files/model_shapes.hpp"

#include <catch2/catch.hpp>

using namespace roofplan;
using namespace roofplan::model;
using namespace roofplan::test;

namespace {

Architecture import(const GgufWriter& file) {
  const TemporaryFolder folder;
  file.write(folder.path("x.gguf"));
  return gguf_architecture(read_gguf(folder.path("x.gguf")));
}

constexpr ElementSize kBf16{16, 1};

}  // namespace

TEST_CASE("a GGUF file gives the published parameters and the KV bytes of its architecture", "[llm_files]") {
  // Parameters: published safetensors totals. KV bytes by hand: 2 x kv heads x head width x 2 B over the
  // layers; DeepSeek (512 + 64) x 2 B x layers.
  struct Row {
    ModelShape shape;
    std::int64_t parameters, per_token, window_per_token, window_cap;
  };
  const std::vector<Row> rows{
      {llama_3_1_8b(), 8030261248, 131072, 0, 0},
      {llama_2_13b(), 13015864320, 819200, 0, 0},
      {qwen2_5_72b(), 72706203648, 327680, 0, 0},
      {gemma_3_27b(), 27009346304, 81920, 425984, 436207616},
      {gemma_3_4b(), 3880263168, 20480, 118784, 121634816},
      {qwen3_30b_a3b(), 30532122624, 98304, 0, 0},
      {gpt_oss_20b(), 20914757184, 24576, 24576, 3145728},
      {gpt_oss_120b(), 116829156672, 36864, 36864, 4718592},
      {deepseek_v2_lite(), 15706484224, 31104, 0, 0},
      {deepseek_v3(), 671026419200, 70272, 0, 0},
  };
  for (const Row& row : rows) {
    INFO(row.shape.arch << " of " << row.shape.layers << " layers");
    const Architecture model = import(gguf_of(row.shape, row.shape.experts > 0 ? "Q8_0" : "Q4_K_M"));
    CHECK(count_parameters(model).total == row.parameters);
    CHECK(model.assumptions.empty());
    const CacheNeed need = cache_need(model, kBf16);
    CHECK(need.per_token.count() == row.per_token);
    CHECK(need.window_per_token.count() == row.window_per_token);
    CHECK(need.window_cap.count() == row.window_cap);
    CHECK(model.max_context == 131072);
  }
}

TEST_CASE("experts, shared experts and leading dense layers come from the tensors", "[llm_files]") {
  const Architecture model = import(gguf_of(deepseek_v3(), "Q8_0"));
  REQUIRE(model.groups.size() == 2);
  CHECK(model.groups[0].count == 3);
  CHECK(model.groups[0].dense->intermediate == 18432);
  const MoeFfn& moe = *model.groups[1].moe;
  CHECK(model.groups[1].count == 58);
  CHECK(moe.experts == 256);
  CHECK(moe.top_k == 8);
  CHECK(moe.shared_intermediate == 2048);
  CHECK(moe.router_bias);
  CHECK(model.native.of(TensorClass::expert) == "q8_0");
  CHECK(model.native.of(TensorClass::router) == "fp32");
  // Published active parameters without the input embedding.
  CHECK(count_parameters(model).active == 36625618432);
}

TEST_CASE("layers that attend are told from those that keep a state (field reports K15, K19)",
          "[llm_files]") {
  // Field reports K15, K19: KV charged for every layer of a hybrid.
  const Architecture qwen = import(qwen3_5_27b_gguf());
  CHECK(count_parameters(qwen).total == 26895998464);
  CHECK(cache_need(qwen, kBf16).per_token.count() == 65536);
  CHECK(state_bytes(qwen).count() == 153944064);
  CHECK(qwen.assumptions.empty());
  const Architecture jamba = import(jamba_1_5_mini_gguf());
  CHECK(count_parameters(jamba).total == 51570323328);
  CHECK(count_parameters(jamba).active == 11841875840);
  CHECK(cache_need(jamba, kBf16).per_token.count() == 16384);
  CHECK(state_bytes(jamba).count() == 16056320);
  CHECK(jamba.assumptions.empty());
  const Architecture nemotron = import(nemotron_3_nano_gguf());
  CHECK(count_parameters(nemotron).total == 31577940288);
  CHECK(cache_need(nemotron, kBf16).per_token.count() == 6144);
  CHECK(state_bytes(nemotron).count() == 49082368);
  CHECK(nemotron.groups.size() == 3);
  CHECK(nemotron.assumptions.empty());
}

TEST_CASE("the files and the architecture agree on the parameters of every tensor class", "[llm_files]") {
  for (const GgufWriter& file :
       {gguf_of(llama_3_1_8b(), "Q4_K_M"), gguf_of(gemma_3_4b(), "Q8_0"), gguf_of(gpt_oss_20b(), "MXFP4"),
        gguf_of(deepseek_v3(), "Q8_0"), qwen3_5_27b_gguf(), jamba_1_5_mini_gguf(), nemotron_3_nano_gguf()}) {
    const TemporaryFolder folder;
    file.write(folder.path("x.gguf"));
    const GgufModel model = read_gguf(folder.path("x.gguf"));
    const ParameterCounts counts = count_parameters(gguf_architecture(model));
    for (std::size_t i = 0; i < kTensorClasses; ++i) {
      const auto kind = static_cast<TensorClass>(i);
      INFO(*model.metadata.text("general.architecture") << " class " << i);
      CHECK(model.inventory.of(kind).parameters == counts.of(kind));
    }
    CHECK(model.inventory.text_unrecognised.tensors == 0);
  }
}

TEST_CASE("per-layer embeddings count as embedding, not as nothing (field report W17)", "[llm_files]") {
  // Field report W17: a size below 1 GB that leaves out 1.12 GB of them.
  GgufWriter file = gemma_4_gguf(12, 1536, 8, 1, 1, 6144);
  file.tensor("per_layer_token_embd.weight", {256 * 12, 262144}, "Q8_0");
  file.tensor("per_layer_model_proj.weight", {1536, 256 * 12}, "Q8_0")
      .tensor("per_layer_proj_norm.weight", {256}, "F32");
  for (int i = 0; i < 12; ++i) {
    const std::string layer = "blk." + std::to_string(i);
    file.tensor(layer + ".inp_gate.weight", {1536, 256}, "Q8_0")
        .tensor(layer + ".proj.weight", {256, 1536}, "Q8_0");
    file.tensor(layer + ".post_norm.weight", {1536}, "F32");
  }
  const Architecture model = import(file);
  CHECK(model.embedding_extra == 256LL * 12 * (262144 + 1536));
  CHECK(model.groups.front().per_layer_input == 256);
  CHECK(model.assumptions.empty());
}

TEST_CASE("per-layer KV heads and two head widths are obeyed (field reports K12, K14)", "[llm_files]") {
  // Gemma 4 31B: 10 global layers of 4 x (512 + 512), 50 windowed of 16 x (256 + 256), 2 B each.
  const CacheNeed large = cache_need(import(gemma_4_gguf(60, 5376, 32, 16, 4, 21504)), kBf16);
  CHECK(large.per_token.count() == 81920);
  CHECK(large.window_per_token.count() == 819200);
  CHECK(large.window_cap.count() == 838860800);
  // Field reports K12, K14: the 12B grows by 16 KiB a token over its 8 global layers of 1 x 512.
  const Architecture small = import(gemma_4_gguf(48, 3840, 16, 8, 1, 15360));
  CHECK(cache_need(small, kBf16).per_token.count() == 16384);
  CHECK(small.assumptions.empty());
}

TEST_CASE("an encoder keeps no KV cache (field report W13)", "[llm_files]") {
  // Field report W13: 9.9 GiB and more claimed for what holds 1.1 GB of weights.
  const TemporaryFolder folder;
  bge_m3_gguf().write(folder.path("x.gguf"));
  const GgufModel file = read_gguf(folder.path("x.gguf"));
  const Architecture model = gguf_architecture(file);
  CHECK(kv_bytes(model, kBf16, 8192).count() == 0);
  CHECK(count_parameters(model).total == file.inventory.total.parameters);
  CHECK(file.inventory.total.bytes.count() < 1'200'000'000);
}

TEST_CASE("layers that read an earlier layer's cache keep none", "[llm_files]") {
  GgufWriter file = gemma_4_gguf(12, 3840, 16, 8, 1, 15360);
  file.integer("gemma4.attention.shared_kv_layers", 6);
  const CacheNeed need = cache_need(import(file), kBf16);
  CHECK(need.per_token.count() == 1 * 2 * 512 * 2);
  CHECK(need.window_per_token.count() == 5 * 8 * 2 * 256 * 2);
}

TEST_CASE("a window without a pattern is left out and said, not guessed", "[llm_files]") {
  ModelShape shape = llama_2_7b();
  shape.arch = "newcomer";
  shape.window = 512;
  const Architecture model = import(gguf_of(shape, "Q8_0"));
  CHECK(cache_need(model, kBf16).window_cap.count() == 0);
  REQUIRE(model.assumptions.size() == 1);
  CHECK_THAT(model.assumptions[0], Catch::Contains("newcomer"));
}

TEST_CASE("what is no language model, or not understood, is refused with the reason", "[llm_files]") {
  const auto llama = [](std::uint32_t layers) {
    return GgufWriter()
        .text("general.architecture", "llama")
        .integer("llama.block_count", layers)
        .integer("llama.embedding_length", 32);
  };
  CHECK_THROWS_WITH(import(GgufWriter().text("general.architecture", "clip").tensor("v.x", {32}, "F32")),
                    Catch::Contains("projector"));
  CHECK_THROWS_WITH(import(GgufWriter()
                               .text("general.architecture", "llama")
                               .text("general.type", "adapter")
                               .tensor("x", {32}, "F32")),
                    Catch::Contains("adapter"));
  CHECK_THROWS_WITH(import(llama(1)), Catch::Contains("no tensors"));
  CHECK_THROWS_WITH(import(GgufWriter().tensor("x", {32}, "F32")), Catch::Contains("general.architecture"));
  CHECK_THROWS_WITH(import(GgufWriter().text("general.architecture", "llama").tensor("x", {32}, "F32")),
                    Catch::Contains("llama."));
  CHECK_THROWS_WITH(
      import(
          llama(2).tensor("token_embd.weight", {32, 8}, "F32").tensor("blk.0.attn_norm.weight", {32}, "F32")),
      Catch::Contains("layer 1 of 2 has no tensors"));
  CHECK_THROWS_WITH(import(llama(1)
                               .tensor("token_embd.weight", {32, 8}, "F32")
                               .tensor("blk.0.time_mix_w1.weight", {32}, "F32")),
                    Catch::Contains("RWKV"));
  CHECK_THROWS_WITH(import(llama(1)
                               .integer("llama.attention.head_count", 2)
                               .integer("llama.attention.key_length", 24)
                               .tensor("token_embd.weight", {32, 8}, "F32")
                               .tensor("blk.0.attn_q.weight", {32, 32}, "F32")
                               .tensor("blk.0.attn_k.weight", {32, 32}, "F32")),
                    Catch::Contains("attn_k has 32 rows") && Catch::Contains("48"));
  CHECK_THROWS_WITH(import(llama(1)
                               .tensor("token_embd.weight", {32, 8}, "F32")
                               .tensor("dec.blk.0.attn_q.weight", {32}, "F32")),
                    Catch::Contains("encoder-decoder"));
}
