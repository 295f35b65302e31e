#include "model/llm/hf_config.hpp"

#include "model/llm/kv_cache.hpp"
#include "model/llm/parameters.hpp"
#include "model/units/error.hpp"

#include <catch2/catch.hpp>

#include <string>

using namespace roofplan::model;

namespace {

Architecture read(const std::string& text, bool assume = false) {
  ImportOptions options;
  options.assume = assume;
  return import_hf_config(text, "config.json", options);
}

std::string tiny(const std::string& more, const std::string& architecture = "LlamaForCausalLM") {
  return R"({"architectures":[")" + architecture + R"("],"hidden_size":64,"num_hidden_layers":4,)" +
         R"("num_attention_heads":4,"num_key_value_heads":2,"intermediate_size":128,"vocab_size":100,)" +
         R"("max_position_embeddings":4096)" + more + "}";
}

std::string error_of(const std::string& text) {
  try {
    read(text);
  } catch (const InputError& e) {
    CHECK(e.kind() == InputError::Kind::content);
    return e.what();
  }
  return {};
}

std::int64_t windowed_layers(const Architecture& a) {
  std::int64_t n = 0;
  for (const auto& g : a.groups)
    if (g.attention && g.attention->window) n += g.count;
  return n;
}

std::int64_t routed_layers(const Architecture& a) {
  std::int64_t n = 0;
  for (const auto& g : a.groups)
    if (g.moe) n += g.count;
  return n;
}

}  // namespace

TEST_CASE("a missing tie_word_embeddings is the class default", "[llm]") {
  CHECK_FALSE(read(tiny("")).tied_embeddings);
  CHECK(read(tiny("", "Gemma2ForCausalLM")).tied_embeddings);
  CHECK(read(tiny("", "CohereForCausalLM")).tied_embeddings);
  CHECK(read(tiny("", "FalconForCausalLM")).tied_embeddings);
  CHECK(read(tiny(R"(,"tie_word_embeddings":true)")).tied_embeddings);
}

TEST_CASE("intermediate_size is the expert's width in some families, the dense width in others", "[llm]") {
  const std::string moe = R"(,"num_local_experts":8,"num_experts_per_tok":2)";
  CHECK(read(tiny(moe, "MixtralForCausalLM")).groups[0].moe->intermediate == 128);
  const auto qwen = read(
      tiny(R"(,"num_experts":8,"num_experts_per_tok":2,"moe_intermediate_size":32,"mlp_only_layers":[0])",
           "Qwen3MoeForCausalLM"));
  CHECK(qwen.groups[0].dense->intermediate == 128);
  CHECK(qwen.groups[1].moe->intermediate == 32);
  const auto llama4 = read(tiny(
      R"(,"num_local_experts":8,"num_experts_per_tok":1,"interleave_moe_layer_step":2,"intermediate_size_mlp":256)",
      "Llama4ForCausalLM"));
  CHECK(llama4.groups[0].dense->intermediate == 256);
  CHECK(llama4.groups[1].moe->intermediate == 128);
  CHECK(llama4.groups[1].moe->shared_intermediate == 128);
  CHECK(llama4.order == std::vector<std::uint16_t>{0, 1, 0, 1});
}

TEST_CASE("experts and top-k are read by every spelling", "[llm]") {
  for (const char* keys :
       {R"("num_experts":8,"num_experts_per_tok":2)", R"("n_routed_experts":8,"num_experts_per_token":2)",
        R"("num_local_experts":8,"experts_per_token":2)", R"("moe_num_experts":8,"top_k_experts":2)",
        R"("ffn_config":{"moe_num_experts":8,"moe_top_k":2,"ffn_hidden_size":32})"}) {
    const auto a = read(tiny(std::string(",") + keys, "Qwen3MoeForCausalLM"));
    CHECK(a.groups[0].moe->experts == 8);
    CHECK(a.groups[0].moe->top_k == 2);
  }
}

TEST_CASE("layers are counted by every spelling, or by the list of their kinds", "[llm]") {
  const auto with = [](const std::string& key) {
    return R"({"architectures":["LlamaForCausalLM"],"hidden_size":64,"num_attention_heads":4,"vocab_size":100,)"
           R"("intermediate_size":128,)" +
           key + "}";
  };
  CHECK(read(with(R"("num_hidden_layers":7)")).layers() == 7);
  CHECK(read(with(R"("n_layers":7)")).layers() == 7);
  CHECK(read(with(R"("num_layers":7)")).layers() == 7);
  CHECK(read(with(R"("layer_types":["full_attention","full_attention"])")).layers() == 2);
  CHECK_THAT(error_of(with(R"("max_position_embeddings":9)")), Catch::Contains("num_hidden_layers"));
}

TEST_CASE("GPT-2, BLOOM and OPT spell their keys their own way (field report W7)", "[llm]") {
  // GPT-2 small: 124,439,808 parameters, published with the tied head counted once.
  const auto gpt2 = read(R"({"architectures":["GPT2LMHeadModel"],"n_embd":768,"n_layer":12,"n_head":12,
      "n_positions":1024,"vocab_size":50257})");
  CHECK(count_parameters(gpt2).total == 124'439'808);
  CHECK(gpt2.groups[0].dense->intermediate == 4 * 768);
  // BLOOM-560M: 559,214,592; embedding norm, ALiBi, 4 x hidden.
  const auto bloom = read(R"({"architectures":["BloomForCausalLM"],"hidden_size":1024,"n_layer":24,
      "n_head":16,"vocab_size":250880})");
  CHECK(count_parameters(bloom).total == 559'214'592);
  // OPT-1.3B: 1,315,758,080; positions from two on, ffn_dim.
  const auto opt = read(R"({"architectures":["OPTForCausalLM"],"hidden_size":2048,"num_hidden_layers":24,
      "num_attention_heads":32,"ffn_dim":8192,"vocab_size":50272,"max_position_embeddings":2048})");
  CHECK(count_parameters(opt).total == 1'315'758'080);
}

TEST_CASE("windows follow lists, patterns, intervals and class defaults", "[llm]") {
  const std::string w = R"(,"sliding_window":128)";
  CHECK(windowed_layers(read(tiny(w, "MistralForCausalLM"))) == 4);
  CHECK(windowed_layers(read(tiny(w, "Gemma2ForCausalLM"))) == 2);
  CHECK(windowed_layers(read(tiny(w + R"(,"sliding_window_pattern":4)"))) == 3);
  CHECK(windowed_layers(read(tiny(w + R"(,"sliding_window_pattern":"LLLG")", "Exaone4ForCausalLM"))) == 3);
  CHECK(windowed_layers(read(tiny(
            w +
            R"(,"layer_types":["sliding_attention","full_attention","full_attention","full_attention"])"))) ==
        1);
  const auto mimo = read(tiny(w + R"(,"hybrid_layer_pattern":[0,1,1,0],"swa_num_key_value_heads":4)"));
  CHECK(windowed_layers(mimo) == 2);
  CHECK(mimo.groups[1].attention->kv_heads == 4);
}

TEST_CASE("a window that is switched off, null or no smaller than the context has no effect", "[llm]") {
  CHECK(windowed_layers(
            read(tiny(R"(,"sliding_window":128,"use_sliding_window":false)", "Qwen2ForCausalLM"))) == 0);
  CHECK(windowed_layers(read(tiny(R"(,"sliding_window":128)", "Qwen2ForCausalLM"))) == 0);
  CHECK(windowed_layers(read(tiny(R"(,"sliding_window":null)", "MistralForCausalLM"))) == 0);
  CHECK(windowed_layers(read(tiny(R"(,"sliding_window":262144)", "Phi3ForCausalLM"))) == 0);
  const auto upper = read(
      tiny(R"(,"sliding_window":128,"use_sliding_window":true,"max_window_layers":3)", "Qwen2ForCausalLM"));
  CHECK(windowed_layers(upper) == 1);
  CHECK(upper.order.back() == 1);
}

TEST_CASE("head_dim comes before hidden / heads, MLA before both (field reports K18, K24)", "[llm]") {
  CHECK(read(tiny("")).groups[0].attention->head_dim == 16);
  CHECK(read(tiny(R"(,"head_dim":40)")).groups[0].attention->head_dim == 40);
  CHECK(read(tiny(R"(,"head_dim":null)")).groups[0].attention->head_dim == 16);
  // GLM-5 carries a head_dim that is not the attention width (K18).
  const auto mla = read(tiny(R"(,"head_dim":192,"kv_lora_rank":32,"qk_nope_head_dim":24,"qk_rope_head_dim":8,
      "v_head_dim":24,"q_lora_rank":null)",
                             "DeepseekV2ForCausalLM"));
  CHECK(mla.groups[0].attention->head_dim == 32);
  CHECK(mla.groups[0].attention->q_lora_rank == 0);
  CHECK(cache_need(mla, {16, 1}).per_token.count() == 4 * 40 * 2);
}

TEST_CASE("routed layers follow lists, periods, steps and a dense beginning", "[llm]") {
  const std::string e = R"(,"num_experts":8,"num_experts_per_tok":2,"moe_intermediate_size":32)";
  CHECK(routed_layers(read(tiny(e))) == 4);
  CHECK(routed_layers(read(tiny(e + R"(,"first_k_dense_replace":3)"))) == 1);
  CHECK(routed_layers(read(tiny(e + R"(,"moe_layer_freq":2)"))) == 2);
  CHECK(routed_layers(read(tiny(e + R"(,"moe_layer_freq":[0,1,1,1])"))) == 3);
  CHECK(routed_layers(read(tiny(e + R"(,"decoder_sparse_step":4)"))) == 1);
  CHECK(routed_layers(read(tiny(e + R"(,"expert_layer_period":2,"expert_layer_offset":1)"))) == 2);
  CHECK(routed_layers(read(tiny(e + R"(,"mlp_layer_types":["dense","dense","sparse","sparse"])"))) == 2);
}

TEST_CASE("a letter per layer makes single blocks with two-matrix feed-forward parts (field report K19)",
          "[llm]") {
  const auto a = read(tiny(R"(,"hybrid_override_pattern":"M-*E","mamba_num_heads":4,"mamba_head_dim":16,
      "n_groups":1,"ssm_state_size":8,"conv_kernel":4,"n_routed_experts":4,"num_experts_per_tok":1,
      "moe_intermediate_size":32,"time_step_limit":[0.0,Infinity])",
                           "NemotronHForCausalLM"));
  REQUIRE(a.groups.size() == 4);
  CHECK(a.groups[0].recurrent);
  CHECK_FALSE(a.groups[0].dense);
  CHECK_FALSE(a.groups[1].dense->gated);
  CHECK(a.groups[2].attention);
  CHECK(a.groups[3].moe->experts == 4);
  // One attending layer of four: 2 KV heads x 16 x 2 x 2 bytes.
  CHECK(cache_need(a, {16, 1}).per_token.count() == 128);
}

TEST_CASE("linear layers are numbered from one in Kimi's list", "[llm]") {
  const auto a = read(tiny(R"(,"kv_lora_rank":32,"qk_nope_head_dim":16,"qk_rope_head_dim":8,
      "linear_attn_config":{"full_attn_layers":[4],"num_heads":4,"head_dim":16,"short_conv_kernel_size":4})",
                           "KimiLinearForCausalLM"));
  CHECK(a.order == std::vector<std::uint16_t>{0, 0, 0, 1});
  CHECK(cache_need(a, {16, 1}).per_token.count() == 40 * 2);
}

TEST_CASE("a text model is found at any depth, its flags at either level (field report W6)", "[llm]") {
  const std::string inner = tiny("", "Qwen2ForCausalLM");
  const auto omni =
      read(R"({"architectures":["Qwen2_5OmniModel"],"thinker_config":{"text_config":)" + inner + "}}");
  CHECK(cache_need(omni, {16, 1}).per_token.count() == 4 * 2 * 2 * 16 * 2);
  const auto tied = read(R"({"architectures":["Gemma3ForConditionalGeneration"],"torch_dtype":"float16",
      "tie_word_embeddings":false,"text_config":)" +
                         tiny(R"(,"sliding_window":1024)", "Gemma3ForCausalLM") + "}");
  CHECK_FALSE(tied.tied_embeddings);
  CHECK(tied.native.of(TensorClass::attention) == "fp16");
}

TEST_CASE("the larger of two context lengths counts", "[llm]") {
  CHECK(read(tiny(R"(,"model_max_length":131072)")).max_context == 131'072);
  CHECK(read(tiny("")).max_context == 4096);
}

TEST_CASE("declared MTP modules that the files do not hold are named, not counted", "[llm]") {
  const auto a = read(
      tiny(R"(,"num_local_experts":8,"num_experts_per_tok":2,"num_mtp_modules":3)", "MiniMaxM2ForCausalLM"));
  CHECK(a.side.mtp_params == 0);
  REQUIRE(a.assumptions.size() == 1);
  CHECK_THAT(a.assumptions[0], Catch::Contains("MTP"));
}

TEST_CASE("an encoder has weights and no cache (field report W13)", "[llm]") {
  // bge-m3 (XLM-RoBERTa large): 567,754,752 parameters.
  const auto a = read(R"({"architectures":["XLMRobertaModel"],"model_type":"xlm-roberta","hidden_size":1024,
      "num_hidden_layers":24,"num_attention_heads":16,"intermediate_size":4096,"vocab_size":250002,
      "max_position_embeddings":8194,"type_vocab_size":1})");
  CHECK(count_parameters(a).total == 567'754'752);
  CHECK(kv_bytes(a, {16, 1}, 8192).count() == 0);
  CHECK(kv_bytes(a, {16, 1}, 8192, false).count() == 0);
}

TEST_CASE("layers that read an earlier layer's cache add none, and may be twice as wide (field report W21)",
          "[llm]") {
  const auto a = read(tiny(R"(,"num_kv_shared_layers":2,"use_double_wide_mlp":true,"sliding_window":null)",
                           "Gemma4ForCausalLM"));
  CHECK(cache_need(a, {16, 1}).per_token.count() == 2 * 2 * 2 * 16 * 2);
  CHECK(a.groups[0].dense->intermediate == 128);
  CHECK(a.groups[1].dense->intermediate == 256);
}

TEST_CASE("short convolutions keep two columns, attending layers are listed", "[llm]") {
  const auto a = read(tiny(R"(,"conv_L_cache":3,"full_attn_idxs":[2])", "Lfm2ForCausalLM"));
  CHECK(cache_need(a, {16, 1}).per_token.count() == 2 * 2 * 16 * 2);
  CHECK(state_bytes(a).count() == 3 * 2 * 64 * 2);
}

TEST_CASE("an unknown architecture is refused with the nearest one, or read and said so (field report E7)",
          "[llm]") {
  const std::string unknown = tiny("", "Lama3ForCausalLM");
  CHECK_THAT(error_of(unknown), Catch::Contains("Lama3ForCausalLM") && Catch::Contains("LlamaForCausalLM"));
  const auto a = read(unknown, true);
  REQUIRE(a.assumptions.size() == 1);
  CHECK(count_parameters(a).total == count_parameters(read(tiny(""))).total);
  CHECK_THAT(error_of(R"({"architectures":["FooModel"],"hidden_size":64})"),
             Catch::Contains("num_hidden_layers"));
  CHECK_THAT(error_of("{}"), Catch::Contains("unknown architecture"));
}

TEST_CASE("diffusion and encoder-decoder configs are refused", "[llm]") {
  CHECK_THAT(error_of(R"({"_class_name":"UNet2DConditionModel"})"), Catch::Contains("diffusion"));
  CHECK_THAT(error_of(R"({"architectures":["T5ForConditionalGeneration"],"is_encoder_decoder":true})"),
             Catch::Contains("encoder-decoder"));
}

TEST_CASE("hostile values are refused where they stand", "[llm]") {
  const auto with = [](const std::string& key, const std::string& value) {
    std::string text = tiny("");
    const auto at = text.find("\"" + key + "\":");
    const auto end = text.find_first_of(",}", at);
    return text.substr(0, at) + "\"" + key + "\":" + value + text.substr(end);
  };
  for (const char* value : {"-1", "0", "1e18", "\"many\"", "2.5", "[4]", "99999999999999999999", "true"}) {
    const std::string text = error_of(with("num_hidden_layers", value));
    CHECK_THAT(text, Catch::Contains("config.json"));
    CHECK_FALSE(text.empty());
    CHECK_FALSE(error_of(with("hidden_size", value)).empty());
    CHECK_FALSE(error_of(with("vocab_size", value)).empty());
    CHECK_FALSE(error_of(with("num_attention_heads", value)).empty());
  }
  CHECK_THAT(error_of(with("num_key_value_heads", "3")), Catch::Contains("/num_key_value_heads"));
  CHECK_THAT(error_of(with("num_attention_heads", "5")), Catch::Contains("divide"));
  CHECK_THAT(error_of(tiny(R"(,"num_experts":2,"num_experts_per_tok":3)", "Qwen3MoeForCausalLM")),
             Catch::Contains("/num_experts_per_tok"));
  CHECK_THAT(error_of(tiny(R"(,"layer_types":["full_attention"])")), Catch::Contains("/layer_types"));
  CHECK_FALSE(error_of("[]").empty());
  CHECK_FALSE(error_of("").empty());
}
