#include "model/llm/hf/module_pattern.hpp"
#include "model/llm/hf_config.hpp"
#include "model/units/error.hpp"

#include <catch2/catch.hpp>

#include <string>

using namespace roofplan::model;

namespace {

std::string with(const std::string& more) {
  return R"({"architectures":["DeepseekV3ForCausalLM"],"hidden_size":256,"num_hidden_layers":4,)"
         R"("num_attention_heads":4,"kv_lora_rank":64,"qk_nope_head_dim":32,"qk_rope_head_dim":16,)"
         R"("v_head_dim":32,"intermediate_size":512,"vocab_size":1000,"n_routed_experts":8,)"
         R"("num_experts_per_tok":2,"moe_intermediate_size":128,"n_shared_experts":1,"first_k_dense_replace":1)" +
         more + "}";
}

NativeFormat native(const std::string& quantisation) {
  return import_hf_config(with(R"(,"quantization_config":)" + quantisation), "config.json").native;
}

}  // namespace

TEST_CASE("every way to declare quantised weights is read", "[llm]") {
  using C = TensorClass;
  CHECK(native(R"({"quant_method":"fp8","weight_block_size":[128,128]})").of(C::expert) == "fp8_block");
  CHECK(native(R"({"quant_method":"fp8"})").of(C::attention) == "fp8");
  CHECK(native(R"({"quant_method":"mxfp4"})").of(C::expert) == "mxfp4");
  CHECK(native(R"({"quant_method":"mxfp4"})").of(C::attention) == "bf16");
  CHECK(native(R"({"quant_method":"awq","bits":4})").of(C::dense_ffn) == "awq");
  CHECK(native(R"({"quant_method":"gptq","bits":4})").of(C::shared_expert) == "gptq");
  CHECK(native(R"({"quant_method":"bitsandbytes","load_in_4bit":true})").of(C::expert) == "nf4");
  CHECK(native(R"({"quant_method":"bitsandbytes","load_in_4bit":true,"bnb_4bit_use_double_quant":true})")
            .of(C::expert) == "nf4_dq");
  CHECK(native(R"({"quant_method":"modelopt","quant_algo":"NVFP4"})").of(C::expert) == "nvfp4");
}

TEST_CASE("compressed tensors are told by bits, type and group, not by their name (field report W14)",
          "[llm]") {
  const auto of = [](const std::string& weights) {
    return native(
               R"({"quant_method":"compressed-tensors","config_groups":{"group_0":{"targets":["Linear"],"weights":)" +
               weights + "}}}")
        .of(TensorClass::expert);
  };
  CHECK(of(R"({"num_bits":8,"type":"float","strategy":"channel"})") == "fp8");  // W14
  CHECK(of(R"({"num_bits":8,"type":"float","strategy":"block"})") == "fp8_block");
  CHECK(of(R"({"num_bits":4,"type":"int","group_size":32})") == "int4_g32");
  CHECK(of(R"({"num_bits":4,"type":"float","group_size":16})") == "nvfp4");
  CHECK(of(R"({"num_bits":4,"type":"float","group_size":32})") == "mxfp4");
  CHECK_THROWS_AS(of(R"({"num_bits":3,"type":"int"})"), InputError);
}

TEST_CASE("modules on the ignore list stay in 16 bits, others do not", "[llm]") {
  using C = TensorClass;
  const std::string groups =
      R"("config_groups":{"g":{"weights":{"num_bits":4,"type":"int","group_size":32}}})";
  const NativeFormat kimi = native(
      R"({"quant_method":"compressed-tensors",)" + groups +
      R"(,"ignore":["lm_head","re:.*self_attn.*","re:.*shared_experts.*","re:.*mlp\\.(gate|up|gate_up|down)_proj.*"]})");
  CHECK(kimi.of(C::expert) == "int4_g32");
  CHECK(kimi.of(C::attention) == "bf16");
  CHECK(kimi.of(C::shared_expert) == "bf16");
  CHECK(kimi.of(C::dense_ffn) == "bf16");
  CHECK(kimi.of(C::router) == "bf16");
  CHECK(kimi.of(C::head) == "bf16");
  const NativeFormat globs = native(
      R"({"quant_method":"modelopt","quant_algo":"NVFP4","ignore":["model.language_model.layers.*.self_attn*"]})");
  CHECK(globs.of(C::attention) == "bf16");
  CHECK(globs.of(C::dense_ffn) == "nvfp4");
  // "gate" names the router, not gate_proj.
  CHECK(native(R"({"quant_method":"fp8","modules_to_not_convert":["gate","lm_head"]})").of(C::dense_ffn) ==
        "fp8");
}

TEST_CASE("block scales are counted apart from parameters", "[llm]") {
  // W3. One dense and three routed layers of the shape above, blocks of 128 x 128:
  // q 1.5 -> 2 x 2, kv_a 1 x 2, kv_b 2 x 1, o 2 x 1: 10 a layer; dense 2 x (4 x 2) + 2 x 4 = 24;
  // an expert 1 x 2 + 1 x 2 + 2 x 1 = 6, nine of them a routed layer.
  const auto model = import_hf_config(
      with(R"(,"quantization_config":{"quant_method":"fp8","weight_block_size":[128,128]})"), "config.json");
  CHECK(model.side.scale_params == 4 * 10 + 24 + 3 * 9 * 6);
}

TEST_CASE("a dtype is read at either level and by either name (field report W15)", "[llm]") {
  CHECK(import_hf_config(with(R"(,"torch_dtype":"float16")"), "c").native.of(TensorClass::norm) == "fp16");
  CHECK(import_hf_config(with(R"(,"dtype":"float32")"), "c").native.of(TensorClass::norm) == "fp32");
  CHECK(import_hf_config(with(""), "c").native.of(TensorClass::norm) == "bf16");
}

TEST_CASE("an unknown quantisation is refused where it stands", "[llm]") {
  try {
    native(R"({"quant_method":"magic"})");
    FAIL("accepted");
  } catch (const InputError& e) {
    CHECK(e.where().pointer == "/quantization_config/quant_method");
  }
}

TEST_CASE("patterns of ignore lists match in linear time and never by accident", "[llm]") {
  using hf::ModulePattern;
  CHECK(ModulePattern("lm_head").matches("lm_head"));
  CHECK_FALSE(ModulePattern("head").matches("lm_head"));
  CHECK(ModulePattern("model.layers.3").matches("layers.3.mlp.gate"));
  CHECK_FALSE(ModulePattern("model.layers.3").matches("layers.31.mlp.gate"));
  CHECK(ModulePattern("re:^model.*$").understood());
  CHECK_FALSE(ModulePattern("re:(a*)*b").understood());
  CHECK_FALSE(ModulePattern("re:[").understood());
  CHECK_FALSE(ModulePattern("re:(a*)*b").matches("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaac"));
  const std::string stars(2000, '*'), letters(2000, 'a');
  CHECK_FALSE(hf::glob_match(stars + "b", letters));
  CHECK(hf::glob_match("a*b*c", "aXbYc"));
}
