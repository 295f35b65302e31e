#include "model/llm/files/safetensors.hpp"

#include "model/units/error.hpp"
#include "tests/llm_files/file_writers.hpp"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <functional>

using namespace roofplan::model;
using namespace roofplan::test;

namespace {

TensorInventory read_one(const SafetensorsWriter& file, std::string_view config = "{}",
                         std::optional<std::int64_t> layers = std::nullopt) {
  const TemporaryFolder folder;
  const std::string path = folder.path("model.safetensors");
  file.write(path);
  return read_safetensors({path}, parse_quant_config(config, "config.json"), layers);
}

std::string in_layer(std::int64_t layer, std::string_view name) {
  return fmt::format("model.layers.{}.{}", layer, name);
}

/// The matrices of a Llama-like model; `matrix` writes each one (name without ".weight", outputs, inputs).
struct LlamaLike {
  std::int64_t layers, hidden, heads, kv_heads, head_dim, ffn, vocab;

  void write(SafetensorsWriter& out,
             const std::function<void(const std::string&, std::int64_t, std::int64_t)>& matrix) const {
    out.tensor("model.embed_tokens.weight", "BF16", {vocab, hidden});
    for (std::int64_t i = 0; i < layers; ++i) {
      matrix(in_layer(i, "self_attn.q_proj"), heads * head_dim, hidden);
      matrix(in_layer(i, "self_attn.k_proj"), kv_heads * head_dim, hidden);
      matrix(in_layer(i, "self_attn.v_proj"), kv_heads * head_dim, hidden);
      matrix(in_layer(i, "self_attn.o_proj"), hidden, heads * head_dim);
      matrix(in_layer(i, "mlp.gate_proj"), ffn, hidden);
      matrix(in_layer(i, "mlp.up_proj"), ffn, hidden);
      matrix(in_layer(i, "mlp.down_proj"), hidden, ffn);
      out.tensor(in_layer(i, "input_layernorm.weight"), "BF16", {hidden});
      out.tensor(in_layer(i, "post_attention_layernorm.weight"), "BF16", {hidden});
    }
    out.tensor("model.norm.weight", "BF16", {hidden});
    out.tensor("lm_head.weight", "BF16", {vocab, hidden});
  }
  std::int64_t matrices() const {
    return layers * (2 * heads * head_dim * hidden + 2 * kv_heads * head_dim * hidden + 3 * hidden * ffn);
  }
};

const LlamaLike kLlama8b{32, 4096, 32, 8, 128, 14336, 128256};
constexpr std::int64_t kLlama8bParameters = 8030261248;  // published total of the bf16 checkpoint

}  // namespace

TEST_CASE("a bf16 checkpoint has two bytes a parameter, to the byte", "[llm_files]") {
  // Llama 3.1 Nemotron 70B: 141,107,412,992 B (exo resources/inference_model_cards@b5375f8).
  SafetensorsWriter out;
  LlamaLike{80, 8192, 64, 8, 128, 28672, 128256}.write(
      out, [&](const std::string& name, std::int64_t rows, std::int64_t columns) {
        out.tensor(name + ".weight", "BF16", {rows, columns});
      });
  const TensorInventory inventory = read_one(out);
  CHECK(inventory.total.bytes.count() == 141107412992);
  CHECK(inventory.total.parameters == 70553706496);
  CHECK(inventory.of(TensorClass::embedding).parameters == 128256LL * 8192);
  CHECK(inventory.of(TensorClass::head).parameters == 128256LL * 8192);
  CHECK(inventory.of(TensorClass::norm).parameters == 161 * 8192);
  CHECK(inventory.of(TensorClass::dense_ffn).parameters == 80LL * 3 * 8192 * 28672);
  CHECK(inventory.file_bytes ==
        inventory.total.bytes + ByteCount(static_cast<std::int64_t>(out.header().size())));
}

TEST_CASE("a hybrid with a vision tower has its published bytes", "[llm_files]") {
  // Qwen3.6 27B in bf16 without draft layers: 54,713,457,120 B (exo resources/inference_model_cards@b5375f8);
  // 460,730,096 parameters of them in the vision tower.
  SafetensorsWriter out;
  const std::int64_t hidden = 5120, inner = 6144, mixed = 2 * 16 * 128 + inner;
  const std::string text = "model.language_model.";
  out.tensor(text + "embed_tokens.weight", "BF16", {248320, hidden})
      .tensor(text + "norm.weight", "BF16", {hidden});
  out.tensor("lm_head.weight", "BF16", {248320, hidden})
      .tensor("model.visual.merger.weight", "BF16", {460730096});
  for (int i = 0; i < 64; ++i) {
    const auto add = [&, layer = fmt::format("{}layers.{}.", text, i)](
                         const std::string& name, const std::vector<std::int64_t>& shape) {
      out.tensor(layer + name, "BF16", shape);
    };
    for (const char* norm : {"input_layernorm.weight", "post_attention_layernorm.weight"})
      add(norm, {hidden});
    for (const char* half : {"mlp.gate_proj.weight", "mlp.up_proj.weight"}) add(half, {17408, hidden});
    add("mlp.down_proj.weight", {hidden, 17408});
    if (i % 4 == 3) {
      add("self_attn.q_proj.weight", {2 * 24 * 256, hidden});
      for (const char* name : {"self_attn.k_proj.weight", "self_attn.v_proj.weight"})
        add(name, {4 * 256, hidden});
      for (const char* name : {"self_attn.q_norm.weight", "self_attn.k_norm.weight"}) add(name, {256});
      add("self_attn.o_proj.weight", {hidden, inner});
      continue;
    }
    add("linear_attn.in_proj_qkv.weight", {mixed, hidden});
    add("linear_attn.in_proj_z.weight", {inner, hidden});
    for (const char* name : {"linear_attn.in_proj_a.weight", "linear_attn.in_proj_b.weight"})
      add(name, {48, hidden});
    for (const char* name : {"linear_attn.A_log", "linear_attn.dt_bias"}) add(name, {48});
    add("linear_attn.conv1d.weight", {mixed, 1, 4});
    add("linear_attn.norm.weight", {128});
    add("linear_attn.out_proj.weight", {hidden, inner});
  }
  const TensorInventory inventory = read_one(out);
  CHECK(inventory.total.bytes.count() == 54713457120);
  CHECK(inventory.of(ModelPart::text).parameters == 26895998464);
  CHECK(inventory.of(ModelPart::vision).parameters == 460730096);
  CHECK(inventory.of(TensorClass::recurrent).parameters ==
        48 * (hidden * (mixed + 2 * inner + 2 * 48) + 4 * mixed));
}

TEST_CASE("MLX files of a mixture of experts have their published bytes", "[llm_files]") {
  // MiniMax M2.5, groups of 64 with scale and bias of 16 bits (exo resources/inference_model_cards@b5375f8);
  // the stated errors of the plain rule are 0.022 % at 4 bits and 0.002 % at 8.
  const auto bytes_at = [](std::int64_t bits) {
    SafetensorsWriter out;
    const auto words = [&](const std::string& name, std::vector<std::int64_t> shape, std::int64_t width) {
      const std::int64_t inputs = shape.back();
      shape.back() = inputs * width / 32;
      out.tensor(name + ".weight", "U32", shape);
      shape.back() = inputs / 64;
      out.tensor(name + ".scales", "BF16", shape).tensor(name + ".biases", "BF16", shape);
    };
    words("model.embed_tokens", {200064, 3072}, bits);
    words("lm_head", {200064, 3072}, bits);
    out.tensor("model.norm.weight", "BF16", {3072});
    std::string gates;
    for (int i = 0; i < 62; ++i) {
      for (const char* name : {"k_proj", "v_proj"})
        words(in_layer(i, std::string("self_attn.") + name), {1024, 3072}, bits);
      words(in_layer(i, "self_attn.q_proj"), {6144, 3072}, bits);
      words(in_layer(i, "self_attn.o_proj"), {3072, 6144}, bits);
      words(in_layer(i, "block_sparse_moe.gate"), {256, 3072}, 8);
      for (const char* name : {"gate_proj", "up_proj"}) {
        words(in_layer(i, std::string("block_sparse_moe.switch_mlp.") + name), {256, 1536, 3072}, bits);
      }
      words(in_layer(i, "block_sparse_moe.switch_mlp.down_proj"), {256, 3072, 1536}, bits);
      out.tensor(in_layer(i, "block_sparse_moe.e_score_correction_bias"), "BF16", {256});
      out.tensor(in_layer(i, "self_attn.q_norm.weight"), "BF16", {6144})
          .tensor(in_layer(i, "self_attn.k_norm.weight"), "BF16", {1024});
      for (const char* norm : {"input_layernorm", "post_attention_layernorm"})
        out.tensor(in_layer(i, norm) + ".weight", "BF16", {3072});
      gates += fmt::format(R"(,"{}":{{"group_size":64,"bits":8}})", in_layer(i, "block_sparse_moe.gate"));
    }
    const TensorInventory inventory =
        read_one(out, fmt::format(R"({{"quantization":{{"group_size":64,"bits":{}{}}}}})", bits, gates));
    CHECK(inventory.total.parameters == 228689764864);
    CHECK(inventory.of(TensorClass::expert).parameters == 62LL * 256 * 3 * 1536 * 3072);
    return static_cast<double>(inventory.total.bytes.count());
  };
  CHECK(bytes_at(4) == Approx(128666664960.0).epsilon(0.00022));
  CHECK(bytes_at(8) == Approx(242986745856.0).epsilon(0.00002));
}

TEST_CASE("the mxfp4 experts of gpt-oss count two parameters a byte and their scales none", "[llm_files]") {
  // 13,761,264,768 B follow from mxfp4 experts and bf16 for the rest; 20,914,757,184 parameters is the
  // published total of the bf16 release.
  SafetensorsWriter out;
  const std::int64_t hidden = 2880, experts = 32, q = 64 * 64, kv = 8 * 64;
  out.tensor("model.embed_tokens.weight", "BF16", {201088, hidden})
      .tensor("lm_head.weight", "BF16", {201088, hidden});
  out.tensor("model.norm.weight", "BF16", {hidden});
  for (int i = 0; i < 24; ++i) {
    out.tensor(in_layer(i, "self_attn.q_proj.weight"), "BF16", {q, hidden})
        .tensor(in_layer(i, "self_attn.q_proj.bias"), "BF16", {q});
    out.tensor(in_layer(i, "self_attn.k_proj.weight"), "BF16", {kv, hidden})
        .tensor(in_layer(i, "self_attn.k_proj.bias"), "BF16", {kv});
    out.tensor(in_layer(i, "self_attn.v_proj.weight"), "BF16", {kv, hidden})
        .tensor(in_layer(i, "self_attn.v_proj.bias"), "BF16", {kv});
    out.tensor(in_layer(i, "self_attn.o_proj.weight"), "BF16", {hidden, q})
        .tensor(in_layer(i, "self_attn.o_proj.bias"), "BF16", {hidden});
    out.tensor(in_layer(i, "self_attn.sinks"), "BF16", {64});
    out.tensor(in_layer(i, "mlp.router.weight"), "BF16", {experts, hidden})
        .tensor(in_layer(i, "mlp.router.bias"), "BF16", {experts});
    out.tensor(in_layer(i, "mlp.experts.gate_up_proj_blocks"), "U8", {experts, 2 * hidden, hidden / 32, 16});
    out.tensor(in_layer(i, "mlp.experts.gate_up_proj_scales"), "U8", {experts, 2 * hidden, hidden / 32});
    out.tensor(in_layer(i, "mlp.experts.gate_up_proj_bias"), "BF16", {experts, 2 * hidden});
    out.tensor(in_layer(i, "mlp.experts.down_proj_blocks"), "U8", {experts, hidden, hidden / 32, 16});
    out.tensor(in_layer(i, "mlp.experts.down_proj_scales"), "U8", {experts, hidden, hidden / 32});
    out.tensor(in_layer(i, "mlp.experts.down_proj_bias"), "BF16", {experts, hidden});
    out.tensor(in_layer(i, "input_layernorm.weight"), "BF16", {hidden});
    out.tensor(in_layer(i, "post_attention_layernorm.weight"), "BF16", {hidden});
  }
  const TensorInventory inventory = read_one(out);
  CHECK(inventory.total.bytes.count() == 13761264768);
  CHECK(inventory.total.parameters == 20914757184);
  const TensorTotal& experts_total = inventory.by_format.at("mxfp4");
  CHECK(experts_total.parameters == 24LL * experts * 3 * hidden * hidden);
  CHECK(experts_total.bytes.count() * 8 * 32 == experts_total.parameters * (4 * 32 + 8));  // 4.25 bits
  CHECK(inventory.of(TensorClass::expert).bytes == experts_total.bytes);
}

TEST_CASE("AWQ and GPTQ words of eight weights are eight parameters (field report W3)", "[llm_files]") {
  // Field report W3: an 8B GPTQ model shown as 2B. 4 bits, a scale of 16 and a zero of 4 bits for each 128.
  const auto quantised = [](bool awq) {
    SafetensorsWriter out;
    kLlama8b.write(out, [&](const std::string& name, std::int64_t rows, std::int64_t columns) {
      if (awq) {
        out.tensor(name + ".qweight", "I32", {columns, rows / 8});
      } else {
        out.tensor(name + ".qweight", "I32", {columns / 8, rows}).tensor(name + ".g_idx", "I32", {columns});
      }
      out.tensor(name + ".qzeros", "I32", {columns / 128, rows / 8})
          .tensor(name + ".scales", "F16", {columns / 128, rows});
    });
    return read_one(out, R"({"quantization_config":{"quant_method":"awq","bits":4,"group_size":128}})");
  };
  const TensorInventory awq = quantised(true), gptq = quantised(false);
  CHECK(awq.total.parameters == kLlama8bParameters);
  CHECK(gptq.total.parameters == kLlama8bParameters);
  const TensorTotal& words = awq.by_format.at("int4");
  CHECK(words.parameters == kLlama8b.matrices());
  CHECK(words.bytes.count() * 8 * 128 == words.parameters * (4 * 128 + 16 + 4));
  // GPTQ adds a 32-bit group index for each input: 6 matrices of width 4096 and one of 14336 in a layer.
  CHECK(gptq.total.bytes - awq.total.bytes == ByteCount(32LL * 4 * (6 * 4096 + 14336)));
}

TEST_CASE("a packed tensor is matched to the group whose bits and size explain its shapes", "[llm_files]") {
  // Field report W3: mixed 2- and 4-bit groups made 9B of 5.5B.
  const std::string config = R"({"quantization_config":{"quant_method":"compressed-tensors","config_groups":{
    "group_0":{"weights":{"num_bits":4,"group_size":128,"type":"int"},"targets":["Linear"]},
    "group_1":{"weights":{"num_bits":2,"group_size":128,"type":"int"},"targets":["re:.*mlp.*"]}}}})";
  SafetensorsWriter out;
  kLlama8b.write(out, [&](const std::string& name, std::int64_t rows, std::int64_t columns) {
    const std::int64_t bits = name.find("mlp") == std::string::npos ? 4 : 2;
    out.tensor(name + ".weight_packed", "I32", {rows, columns * bits / 32});
    out.tensor(name + ".weight_scale", "BF16", {rows, columns / 128})
        .tensor(name + ".weight_shape", "I64", {2});
  });
  const TensorInventory inventory = read_one(out, config);
  CHECK(inventory.total.parameters == kLlama8bParameters);
  CHECK(inventory.by_format.at("int2").parameters == 32LL * 3 * 4096 * 14336);
  CHECK_THROWS_WITH(read_one(out), Catch::Contains("fits 0 of the 0 groups"));
}

TEST_CASE("MLX words are told by their scales, and a module of its own bits is obeyed (field report W4)",
          "[llm_files]") {
  // Field report W4: U32 words counted as parameters of 4 bytes. 4 bits, scale and bias of 16 for each 64:
  // 4.5 bits; the router at 8 bits: 8.5.
  SafetensorsWriter out;
  out.tensor("model.layers.0.mlp.up_proj.weight", "U32", {14336, 4096 * 4 / 32});
  out.tensor("model.layers.0.mlp.up_proj.scales", "BF16", {14336, 64})
      .tensor("model.layers.0.mlp.up_proj.biases", "BF16", {14336, 64});
  out.tensor("model.layers.0.mlp.gate.weight", "U32", {128, 4096 * 8 / 32});
  out.tensor("model.layers.0.mlp.gate.scales", "BF16", {128, 64})
      .tensor("model.layers.0.mlp.gate.biases", "BF16", {128, 64});
  const TensorInventory inventory = read_one(
      out,
      R"({"quantization":{"group_size":64,"bits":4,"model.layers.0.mlp.gate":{"group_size":64,"bits":8}}})");
  CHECK(inventory.by_format.at("int4").parameters == 14336 * 4096);
  CHECK(inventory.by_format.at("int4").bytes.count() == 14336 * 4096 * 9 / 16);
  CHECK(inventory.by_format.at("int8").parameters == 128 * 4096);
  CHECK(inventory.by_format.at("int8").bytes.count() == 128 * 4096 * 17 / 16);
  CHECK(inventory.of(TensorClass::router).parameters == 128 * 4096);
}

TEST_CASE("NVFP4 has 4.5 bits where it is used and 16 where it is not (field reports W16, W18)",
          "[llm_files]") {
  // Field report W18: 0.5625 B a parameter, not 0.25; W16: embedding and head stay 16-bit.
  SafetensorsWriter out;
  kLlama8b.write(out, [&](const std::string& name, std::int64_t rows, std::int64_t columns) {
    out.tensor(name + ".weight", "U8", {rows, columns / 2})
        .tensor(name + ".weight_scale", "F8_E4M3", {rows, columns / 16});
    out.tensor(name + ".weight_scale_2", "F32", {}).tensor(name + ".input_scale", "F32", {});
  });
  const TensorInventory inventory = read_one(out);
  CHECK(inventory.total.parameters == kLlama8bParameters);
  const TensorTotal& packed = inventory.by_format.at("nvfp4");
  CHECK(packed.bytes.count() == packed.parameters * 9 / 16 + 32 * 7 * 2 * 4);
  CHECK(inventory.by_format.at("bf16").parameters == kLlama8bParameters - kLlama8b.matrices());
  CHECK(inventory.of(TensorClass::norm).bytes.count() == 65 * 4096 * 2);
}

TEST_CASE("bytes with a scale for each 32 are MXFP4 or MXFP8 by the row they explain", "[llm_files]") {
  SafetensorsWriter out;
  out.tensor("layers.0.ffn.experts.0.w1.weight", "I8", {2048, 2048})
      .tensor("layers.0.ffn.experts.0.w1.scale", "F8_E8M0", {2048, 128});
  out.tensor("layers.0.attn.wo.weight", "F8_E4M3", {4096, 4096})
      .tensor("layers.0.attn.wo.weight_scale", "U8", {4096, 128});
  const TensorInventory inventory = read_one(out);
  CHECK(inventory.by_format.at("mxfp4").parameters == 2048 * 4096);
  CHECK(inventory.by_format.at("mxfp4").bytes.count() == 2048 * 4096 * 17 / 32);
  CHECK(inventory.by_format.at("mxfp8").parameters == 4096 * 4096);
  CHECK(inventory.by_format.at("mxfp8").bytes.count() == 4096 * 4096 * 33 / 32);
}

TEST_CASE("bitsandbytes bytes are two parameters, int8 bytes and fp8 bytes are one", "[llm_files]") {
  SafetensorsWriter out;
  out.tensor("model.layers.0.mlp.up_proj.weight", "U8", {4096 * 4096 / 2, 1})
      .tensor("model.layers.0.mlp.up_proj.weight.absmax", "U8", {4096 * 64});
  out.tensor("model.layers.0.mlp.up_proj.weight.quant_state.bitsandbytes__nf4", "U8", {200});
  out.tensor("model.layers.1.mlp.up_proj.weight", "I8", {4096, 4096})
      .tensor("model.layers.1.mlp.up_proj.weight_scale", "BF16", {4096, 1});
  out.tensor("model.layers.2.mlp.up_proj.weight", "F8_E4M3", {4096, 4096})
      .tensor("model.layers.2.mlp.up_proj.weight_scale_inv", "F32", {32, 32});
  const TensorInventory inventory = read_one(out);
  CHECK(inventory.by_format.at("nf4").parameters == 4096 * 4096);
  CHECK(inventory.by_format.at("int8").parameters == 4096 * 4096);
  CHECK(inventory.by_format.at("fp8").parameters == 4096 * 4096);
  // One fp32 scale for each block of 128 x 128.
  CHECK(inventory.by_format.at("fp8").bytes.count() == 4096 * 4096 + 32 * 32 * 4);
}

TEST_CASE("draft modules and vision towers are told from the text model", "[llm_files]") {
  SafetensorsWriter out;
  out.tensor("model.layers.0.mlp.up_proj.weight", "BF16", {64, 32});
  out.tensor("model.layers.1.mlp.up_proj.weight", "BF16", {64, 32});
  out.tensor("model.layers.61.eh_proj.weight", "BF16", {32, 64})
      .tensor("model.layers.61.mlp.up_proj.weight", "BF16", {64, 32});
  out.tensor("mtp.layers.0.mlp.up_proj.weight", "BF16", {64, 32});
  out.tensor("model.visual.blocks.0.mlp.up_proj.weight", "BF16", {16, 32});
  const TensorInventory inventory = read_one(out);
  CHECK(inventory.of(ModelPart::text).parameters == 2 * 64 * 32);
  CHECK(inventory.of(ModelPart::draft).parameters == 3 * 64 * 32);
  CHECK(inventory.of(ModelPart::vision).parameters == 16 * 32);
  // The count of layers tells as well, where no name does.
  CHECK(read_one(out, "{}", 1).of(ModelPart::text).parameters == 64 * 32);
}

TEST_CASE("files whose ranges lie are refused", "[llm_files]") {
  const TemporaryFolder folder;
  const auto read = [&](std::string_view json, std::uint64_t data) {
    const std::string head = safetensors_head(json);
    write_sparse(folder.path("x.safetensors"), head, head.size() + data);
    return read_safetensors_header(folder.path("x.safetensors"));
  };
  CHECK(read(R"({"a":{"dtype":"F4","shape":[4],"data_offsets":[0,2]}})", 2).tensors[0].parameters == 4);
  CHECK_THROWS_WITH(read(R"({"a":{"dtype":"F16","shape":[4],"data_offsets":[0,9]}})", 9),
                    Catch::Contains("ask for 8"));
  CHECK_THROWS_WITH(read(R"({"a":{"dtype":"F16","shape":[4],"data_offsets":[0,8]}})", 7),
                    Catch::Contains("download"));
  CHECK_THROWS_WITH(read(R"({"a":{"dtype":"F16","shape":[4],"data_offsets":[1,9]}})", 9),
                    Catch::Contains("was due"));
  CHECK_THROWS_WITH(
      read(
          R"({"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4]},"b":{"dtype":"U8","shape":[4],"data_offsets":[2,6]}})",
          6),
      Catch::Contains("was due"));
  CHECK_THROWS_WITH(read(R"({"a":{"dtype":"F17","shape":[4],"data_offsets":[0,8]}})", 8),
                    Catch::Contains("F17"));
  CHECK_THROWS_AS(read(R"({"a":{"dtype":"F64","shape":[4294967296,4294967296],"data_offsets":[0,8]}})", 8),
                  InputError);
  CHECK_THROWS_AS(read("[]", 0), InputError);
  CHECK_THROWS_AS(read("", 0), InputError);
  write_sparse(folder.path("x.safetensors"), le64(std::uint64_t{1} << 60), 100);
  CHECK_THROWS_WITH(read_safetensors_header(folder.path("x.safetensors")), Catch::Contains("does not fit"));
}
