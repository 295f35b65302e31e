#include "model/llm/hf/quantisation.hpp"

#include "model/json/json.hpp"
#include "model/llm/hf/module_pattern.hpp"
#include "model/llm/tensors.hpp"
#include "model/units/byte_count.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

namespace roofplan::model::hf {
namespace {

struct ClassModules {
  TensorClass kind;
  std::vector<std::string_view> modules;  ///< spellings of one module that stands for the class
};

const std::array<ClassModules, 6>& quantised_classes() {
  static const std::array<ClassModules, 6> kClasses = {{
      {TensorClass::attention, {"self_attn.o_proj", "attn.out_proj", "mixer.o_proj"}},
      {TensorClass::indexer, {"self_attn.indexer.wq_b", "self_attn.indexer.wk"}},
      {TensorClass::dense_ffn, {"mlp.down_proj", "mixer.down_proj"}},
      {TensorClass::expert,
       {"mlp.experts.0.down_proj", "block_sparse_moe.experts.0.w2", "mixer.experts.0.down_proj",
        "mlp.experts"}},
      {TensorClass::shared_expert,
       {"mlp.shared_experts.down_proj", "mlp.shared_expert.down_proj", "mixer.shared_experts.down_proj"}},
      {TensorClass::recurrent, {"linear_attn.out_proj", "mixer.out_proj", "mamba.out_proj"}},
  }};
  return kClasses;
}

/// A quantised weight format and the modules it leaves alone.
struct Scheme {
  std::string format;
  std::vector<ModulePattern> ignored;
  bool experts_only = false;
  bool everything = false;  ///< embedding and head too (MLX)
};

std::string upper(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

void read_patterns(const JsonReader& list, Scheme& scheme, std::vector<std::string>& notes) {
  for (const JsonReader& entry : list.elements()) {
    scheme.ignored.emplace_back(entry.as_string());
    if (!scheme.ignored.back().understood())
      notes.push_back(
          fmt::format("the ignore pattern \"{}\" is not understood and matches nothing", entry.as_string()));
  }
}

void read_ignore_lists(const JsonReader& q, Scheme& scheme, std::vector<std::string>& notes) {
  for (const auto key : {"modules_to_not_convert", "ignore", "exclude_modules", "llm_int8_skip_modules"})
    if (const auto list = q.find(key); list && list->is_array()) read_patterns(*list, scheme, notes);
}

/// compressed-tensors and modelopt describe weights by bits, type and group.
std::string format_by_bits(const JsonReader& weights) {
  const std::int64_t bits = weights.at("num_bits").as_integer(1, 16);
  const auto type = weights.find("type");
  const bool is_float = type && type->as_string() == "float";
  const auto group_size = weights.find("group_size");
  const std::int64_t group = group_size ? group_size->as_integer(-1, 1 << 20) : 0;
  const auto strategy = weights.find("strategy");
  if (bits == 8 && is_float) return strategy && strategy->as_string() == "block" ? "fp8_block" : "fp8";
  if (bits == 8) return "int8";
  if (bits == 4 && is_float) return group == 16 ? "nvfp4" : "mxfp4";
  if (bits == 4) return group == 32 ? "int4_g32" : "gptq";
  weights.fail(fmt::format("weights of {} bits are not known", bits), "4 or 8 bits");
}

std::string format_by_algorithm(const JsonReader& algorithm) {
  const std::string name = upper(algorithm.as_string());
  if (name.find("NVFP4") != std::string::npos) return "nvfp4";
  if (name.find("MXFP4") != std::string::npos) return "mxfp4";
  if (name.find("MXFP8") != std::string::npos) return "mxfp8";
  if (name.find("AWQ") != std::string::npos || name.find("W4A16") != std::string::npos) return "awq";
  if (name.find("BLOCK") != std::string::npos || name == "FP8_PB_WO") return "fp8_block";
  if (name.find("FP8") != std::string::npos) return "fp8";
  if (name.find("INT8") != std::string::npos || name.find("W8A") != std::string::npos) return "int8";
  algorithm.fail(fmt::format("unknown quantisation algorithm \"{}\"", algorithm.as_string()),
                 "NVFP4, MXFP4, MXFP8, FP8, W4A16_AWQ or INT8");
}

std::string format_of_groups(const JsonReader& q, std::vector<std::string>& notes) {
  std::string format;
  for (const auto& [name, group] : q.at("config_groups").members()) {
    const auto weights = group.find("weights");
    if (!weights) continue;
    const std::string here = format_by_bits(*weights);
    if (!format.empty() && here != format)
      notes.push_back(
          fmt::format("weights are stored both as {} and {}; counted as {}", format, here, format));
    if (format.empty()) format = here;
  }
  if (format.empty()) q.at("config_groups").fail("no group describes weights", "a group with weights");
  return format;
}

std::string format_of_bits(const JsonReader& q, std::string_view four_bits) {
  const std::int64_t bits = q.at("bits").as_integer(2, 8);
  if (bits == 4) return std::string(four_bits);
  if (bits == 8) return "int8";
  q.at("bits").fail(fmt::format("{} bits are not known for this method", bits), "4 or 8");
}

Scheme read_scheme(const JsonReader& q, std::vector<std::string>& notes) {
  Scheme scheme;
  const std::string method = q.at("quant_method").as_string();
  read_ignore_lists(q, scheme, notes);
  if (method == "fp8" || method == "fbgemm_fp8") {
    scheme.format = q.has("weight_block_size") ? "fp8_block" : "fp8";
  } else if (method == "mxfp4") {
    scheme.format = "mxfp4";
    scheme.experts_only = true;
  } else if (method == "modelopt" && q.has("quant_algo")) {
    scheme.format = format_by_algorithm(q.at("quant_algo"));
  } else if (method == "compressed-tensors" || method == "modelopt") {
    scheme.format = format_of_groups(q, notes);
  } else if (method == "awq" || method == "gptq") {
    scheme.format = format_of_bits(q, method);
  } else if (method == "bitsandbytes") {
    const auto four = q.find("load_in_4bit"), twice = q.find("bnb_4bit_use_double_quant");
    scheme.format = !(four && four->as_bool()) ? "int8" : twice && twice->as_bool() ? "nf4_dq" : "nf4";
  } else {
    q.at("quant_method")
        .fail(fmt::format("unknown quantisation method \"{}\"", method),
              "fp8, mxfp4, compressed-tensors, modelopt, awq, gptq or bitsandbytes");
  }
  return scheme;
}

Scheme read_sidecar(const JsonReader& sidecar, NativeFormat& native, std::vector<std::string>& notes) {
  Scheme scheme;
  const JsonReader q = sidecar.at("quantization");
  if (const auto kv = q.find("kv_cache_quant_algo"); kv && upper(kv->as_string()) == "FP8") native.kv = "fp8";
  read_ignore_lists(q, scheme, notes);
  const auto algorithm = q.find("quant_algo");
  if (algorithm && upper(algorithm->as_string()) == "MIXED_PRECISION") {
    // The list names each module; the routed experts are nearly all the weights, so theirs is taken.
    for (const auto& [name, layer] : q.at("quantized_layers").members()) {
      const std::string format = format_by_algorithm(layer.at("quant_algo"));
      if (scheme.format.empty() || name.find("experts") != std::string::npos) scheme.format = format;
    }
    notes.push_back(
        fmt::format("a mixed-precision checkpoint; all quantised tensors are counted as {}", scheme.format));
  } else if (algorithm) {
    scheme.format = format_by_algorithm(*algorithm);
  }
  return scheme;
}

bool has_class(const Architecture& model, const LayerGroup& group, TensorClass kind) {
  for (const Tensor& t : tensors(model, group))
    if (t.kind == kind) return true;
  return false;
}

/// Up to eight layers, evenly spread, that hold tensors of the class.
std::vector<std::size_t> sample_layers(const Architecture& model, TensorClass kind) {
  std::vector<bool> holds;
  for (const LayerGroup& group : model.groups) holds.push_back(has_class(model, group, kind));
  std::vector<std::size_t> with;
  for (std::size_t i = 0; i < model.order.size(); ++i)
    if (holds[model.order[i]]) with.push_back(i);
  if (with.size() <= 8) return with;
  std::vector<std::size_t> out;
  for (std::size_t s = 0; s < 8; ++s) out.push_back(with[s * (with.size() - 1) / 7]);
  return out;
}

/// KDA layers call their mixer self_attn, as the attending layers do.
bool is_kda(const Architecture& model, std::size_t layer) {
  const auto& recurrent = model.groups[model.order[layer]].recurrent;
  return recurrent && recurrent->kind == Recurrent::Kind::kda;
}

bool ignored(const Scheme& scheme, const Architecture& model, const ClassModules& c, std::size_t layer) {
  std::vector<std::string_view> modules = c.modules;
  if (c.kind == TensorClass::recurrent && is_kda(model, layer)) modules = {"self_attn.o_proj"};
  for (const auto module : modules) {
    const std::string name = fmt::format("layers.{}.{}", layer, module);
    for (const ModulePattern& pattern : scheme.ignored)
      if (pattern.matches(name)) return true;
  }
  return false;
}

void apply(const Scheme& scheme, const Architecture& model, NativeFormat& native,
           std::vector<std::string>& notes) {
  for (const ClassModules& c : quantised_classes()) {
    if (scheme.experts_only && c.kind != TensorClass::expert) continue;
    const auto layers = sample_layers(model, c.kind);
    const auto left = static_cast<std::size_t>(std::count_if(
        layers.begin(), layers.end(), [&](std::size_t i) { return ignored(scheme, model, c, i); }));
    if (layers.empty() || 2 * left > layers.size()) continue;
    native.of(c.kind) = scheme.format;
    if (left > 0)
      notes.push_back(fmt::format("some {} layers stay in 16 bits; all are counted as {}", to_string(c.kind),
                                  scheme.format));
  }
  if (scheme.everything)
    for (const TensorClass kind : {TensorClass::embedding, TensorClass::head, TensorClass::router})
      native.of(kind) = scheme.format;
}

std::string base_format(const Config& config) {
  std::string type = "bfloat16";
  for (const auto key : {"torch_dtype", "dtype"})
    if (const auto value = config.find_anywhere(key); value && value->is_string()) type = value->as_string();
  if (type.rfind("torch.", 0) == 0) type = type.substr(6);
  if (type == "float16") return "fp16";
  if (type == "float32") return "fp32";
  return "bf16";
}

}  // namespace

NativeFormat native_format(const Config& config, const JsonReader* sidecar, const Architecture& model,
                           std::vector<std::string>& notes) {
  NativeFormat native;
  native.by_class.fill(base_format(config));
  if (const auto mlx = config.root().find("quantization");
      mlx && mlx->is_object() && mlx->has("group_size")) {
    const std::int64_t bits = mlx->at("bits").as_integer(4, 8);
    apply({fmt::format("mlx_q{}", bits), {}, false, true}, model, native, notes);
    return native;
  }
  const auto q = config.find_anywhere("quantization_config");
  if (q) {
    apply(read_scheme(*q, notes), model, native, notes);
    if (const auto kv = q->find("kv_cache_scheme"); kv && kv->at("num_bits").as_integer(1, 16) == 8)
      native.kv = "fp8";
  }
  if (config.word({"expert_dtype"}) == "fp4") native.of(TensorClass::expert) = "mxfp4";
  if (sidecar != nullptr) {
    const Scheme scheme = read_sidecar(*sidecar, native, notes);
    if (!q && !scheme.format.empty()) apply(scheme, model, native, notes);
  }
  return native;
}

std::int64_t scale_elements(const Architecture& model, const MtpModule* mtp) {
  std::int64_t sum = 0;
  const auto add = [&](const LayerGroup& group, std::int64_t times) {
    for (const Tensor& t : tensors(model, group)) {
      const std::string& format = model.native.of(t.kind);
      std::int64_t scales = 0;
      // The indexer's head weights and the convolutions stay in 16 bits.
      if (t.one_dimensional || t.role == TensorRole::index_weights || t.role == TensorRole::conv) continue;
      if (format == "fp8_block") scales = checked_mul(ceil_div(t.rows, 128), ceil_div(t.cols, 128));
      // A packed matrix comes with its shape, two int32 that the Hub counts as sixteen 4-bit weights.
      if (format == "int4_g32") scales = checked_add(checked_mul(t.rows, ceil_div(t.cols, 32)), 16);
      sum = checked_add(sum, checked_mul(checked_mul(scales, t.copies), times));
    }
  };
  for (const LayerGroup& group : model.groups) add(group, group.count);
  if (mtp != nullptr)
    for (const LayerGroup& group : mtp->layers) add(group, mtp->modules);
  return sum;
}

}  // namespace roofplan::model::hf
