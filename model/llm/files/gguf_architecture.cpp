#include "model/llm/files/gguf_architecture.hpp"

#include "model/llm/files/gguf_layer.hpp"
#include "model/llm/files/side_modules.hpp"
#include "model/llm/hf/shapes.hpp"
#include "model/units/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace roofplan::model {
namespace {

constexpr std::int64_t kMostLayers = 10'000;

/// Windows that the program for GGUF files knows by the architecture's name (src/models of
/// ggml-org/llama.cpp, load_arch_hparams): layer i is windowed where i % period < period - 1, all of them
/// where the period is 0.
struct KnownWindow {
  std::string_view architecture;
  std::int64_t period;
  std::int64_t tokens;  ///< where the file does not say; 0: then none
};
constexpr std::array<KnownWindow, 11> kKnownWindows{{
    {"gemma2", 2, 4096},
    {"gemma3", 6, 0},
    {"gemma3n", 5, 0},
    {"gpt-oss", 2, 0},
    {"cohere2", 4, 0},
    {"exaone4", 4, 0},
    {"exaone-moe", 4, 0},
    {"llama4", 4, 8192},
    {"phi3", 0, 0},
    {"olmo2", 4, 0},
    {"plamo3", 8, 0},
}};

const KnownWindow* known_window(std::string_view architecture) {
  const auto it = std::find_if(kKnownWindows.begin(), kKnownWindows.end(),
                               [&](const KnownWindow& known) { return known.architecture == architecture; });
  return it == kKnownWindows.end() ? nullptr : it;
}

[[noreturn]] void refuse(const GgufModel& model, std::string message, std::string expected = {}) {
  throw InputError(InputError::Kind::content, std::move(message), std::move(expected),
                   {model.metadata.file(), {}, 0});
}

void check_kind(const GgufModel& model, const GgufKeys& keys) {
  const std::string type = model.metadata.text("general.type").value_or("model");
  if (keys.architecture() == "clip" || type == "mmproj") {
    refuse(model, "this is a projector for images or sound, no language model",
           "the GGUF file of the model itself");
  }
  if (type != "model") refuse(model, fmt::format("this is a GGUF file of type \"{}\"", type), "a model");
  if (model.inventory.tensors.empty()) refuse(model, "the file holds no tensors", "a model with its weights");
  for (const TensorEntry& tensor : model.inventory.tensors) {
    if (tensor.name.starts_with("dec.") || tensor.name.starts_with("enc.")) {
      refuse(model, "encoder-decoder models are not modelled", "a decoder or an encoder");
    }
  }
}

class Importer {
 public:
  explicit Importer(const GgufModel& model) : model_(model), keys_(model.metadata) {}

  Architecture run() {
    check_kind(model_, keys_);
    out_.id = model_.metadata.file();
    out_.family = model_.metadata.text("general.basename").value_or(keys_.architecture());
    out_.architecture = keys_.architecture();
    out_.hidden = keys_.count("embedding_length");
    out_.max_context = keys_.count_or("context_length", 0);
    const std::int64_t blocks = keys_.count("block_count");
    const std::int64_t draft = keys_.count_or("nextn_predict_layers", 0);
    if (blocks > kMostLayers || draft >= blocks) {
      refuse(model_, fmt::format("{} layers, {} of them for drafts, are no model", blocks, draft));
    }
    out_.side.mtp_layers = draft;
    read_outer();
    read_layers(blocks);
    set_side_modules(out_.side, model_.inventory);
    read_formats();
    const std::string difference = parameter_difference(out_, model_.inventory);
    if (!difference.empty()) out_.assumptions.push_back(difference);
    return std::move(out_);
  }

 private:
  const TensorEntry* find(std::string_view name) const {
    const auto& tensors = model_.inventory.tensors;
    const auto it =
        std::find_if(tensors.begin(), tensors.end(), [&](const TensorEntry& t) { return t.name == name; });
    return it == tensors.end() ? nullptr : &*it;
  }
  std::int64_t elements(std::string_view name) const {
    const TensorEntry* tensor = find(name);
    return tensor == nullptr ? 0 : tensor->parameters;
  }

  void read_outer() {
    const TensorEntry* embedding = find("token_embd.weight");
    if (embedding == nullptr || embedding->shape.size() != 2 || embedding->shape[0] != out_.hidden) {
      refuse(model_, fmt::format("token_embd.weight is missing or its rows are not {} wide", out_.hidden));
    }
    out_.vocab = embedding->shape[1];
    out_.tied_embeddings = find("output.weight") == nullptr;
    out_.head_bias = elements("output.bias");
    for (const TensorEntry& tensor : model_.inventory.tensors) {
      if (tensor.name.starts_with("blk.") || tensor.place.part != ModelPart::text) continue;
      if (tensor.name.find("norm") != std::string::npos) {
        out_.final_norm_elements = checked_add(out_.final_norm_elements, tensor.parameters);
      } else if (tensor.place.kind == TensorClass::embedding && tensor.name != "token_embd.weight") {
        out_.embedding_extra = checked_add(out_.embedding_extra, tensor.parameters);
      }
    }
  }

  /// Which layers are windowed: a list, a period, or what is known of the architecture.
  std::vector<bool> windowed(std::int64_t layers) {
    const KnownWindow* known = known_window(keys_.architecture());
    std::vector<bool> out(static_cast<std::size_t>(layers), false);
    const std::string key = keys_.full("attention.sliding_window_pattern");
    if (model_.metadata.is_list(key)) {
      const auto pattern = model_.metadata.per_layer(key, layers, out_.side.mtp_layers);
      for (std::size_t i = 0; i < out.size(); ++i) out[i] = (*pattern)[i] != 0;
      return out;
    }
    if (!known && !model_.metadata.has(key)) {
      out_.assumptions.push_back(fmt::format(
          "the window is left out: the file does not say which layers of {} have it", keys_.architecture()));
      return out;
    }
    const std::int64_t period = keys_.count_or("attention.sliding_window_pattern", known ? known->period : 0);
    for (std::int64_t i = 0; i < layers; ++i) {
      out[static_cast<std::size_t>(i)] = period == 0 || i % period < period - 1;
    }
    return out;
  }

  void read_layers(std::int64_t blocks) {
    const std::int64_t drafts = out_.side.mtp_layers;
    const std::int64_t layers = blocks - drafts;
    const KnownWindow* known = known_window(keys_.architecture());
    const std::int64_t window = keys_.count_or("attention.sliding_window", known ? known->tokens : 0);
    const std::vector<bool> slides =
        window > 0 ? windowed(layers) : std::vector<bool>(static_cast<std::size_t>(layers));
    const auto heads = keys_.per_layer("attention.head_count", layers, drafts, 0);
    const auto kv_heads = keys_.per_layer("attention.head_count_kv", layers, drafts, -1);
    const auto keys = keys_.per_layer("attention.key_length", layers, drafts, 0);
    const auto values = keys_.per_layer("attention.value_length", layers, drafts, 0);
    const std::int64_t shared = keys_.count_or("attention.shared_kv_layers", 0);
    const bool causal = model_.metadata.flag(keys_.full("attention.causal")).value_or(true);
    if (!causal) out_.assumptions.emplace_back("an encoder: it keeps no KV cache");
    std::vector<GgufLayer> parts = split_layers(layers);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      GgufLayer& layer = parts[i];
      layer.heads = heads[i];
      layer.kv_heads = kv_heads[i] < 0 ? heads[i] : kv_heads[i];
      const std::int64_t width = heads[i] > 0 ? out_.hidden / heads[i] : 0;
      layer.key_length = keys[i] > 0 ? keys[i] : width;
      layer.value_length = values[i] > 0 ? values[i] : layer.key_length;
      if (slides[i]) {
        layer.window = window;
        layer.key_length = keys_.count_or("attention.key_length_swa", layer.key_length);
        layer.value_length = keys_.count_or("attention.value_length_swa", layer.value_length);
      }
      layer.cached = causal && layer.number < layers - shared;
      append(gguf_layer_group(keys_, layer));
    }
  }

  std::vector<GgufLayer> split_layers(std::int64_t layers) const {
    std::vector<GgufLayer> out(static_cast<std::size_t>(layers));
    for (std::size_t i = 0; i < out.size(); ++i) out[i].number = static_cast<std::int64_t>(i);
    constexpr std::string_view kPrefix = "blk.";
    for (const TensorEntry& tensor : model_.inventory.tensors) {
      const std::string_view name = tensor.name;
      const auto layer = tensor.place.layer;
      if (tensor.place.part != ModelPart::text || !name.starts_with(kPrefix) || !layer || *layer >= layers)
        continue;
      const std::size_t dot = name.find('.', kPrefix.size());
      if (dot != name.npos)
        out[static_cast<std::size_t>(*layer)].tensors.emplace(name.substr(dot + 1), &tensor);
    }
    for (const GgufLayer& layer : out) {
      if (layer.tensors.empty())
        refuse(model_, fmt::format("layer {} of {} has no tensors", layer.number, layers));
    }
    return out;
  }

  void append(LayerGroup group) {
    auto same = std::find_if(out_.groups.begin(), out_.groups.end(),
                             [&](const LayerGroup& known) { return known.same_layer(group); });
    if (same == out_.groups.end()) {
      group.name = hf::group_name(group);
      same = out_.groups.insert(out_.groups.end(), std::move(group));
    }
    ++same->count;
    out_.order.push_back(static_cast<std::uint16_t>(same - out_.groups.begin()));
  }

  void read_formats() {
    std::array<std::map<std::string, std::int64_t>, kTensorClasses> parameters;
    for (const TensorEntry& tensor : model_.inventory.tensors) {
      if (tensor.place.part != ModelPart::text || !tensor.place.kind) continue;
      parameters[static_cast<std::size_t>(*tensor.place.kind)][tensor.format] += tensor.parameters;
    }
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      const auto most = std::max_element(parameters[i].begin(), parameters[i].end(),
                                         [](const auto& a, const auto& b) { return a.second < b.second; });
      if (most != parameters[i].end()) out_.native.by_class[i] = most->first;
    }
    if (out_.tied_embeddings) out_.native.of(TensorClass::head) = out_.native.of(TensorClass::embedding);
  }

  const GgufModel& model_;
  GgufKeys keys_;
  Architecture out_;
};

}  // namespace

Architecture gguf_architecture(const GgufModel& model) {
  try {
    return Importer(model).run();
  } catch (const InputError& error) {
    throw error.at({model.metadata.file(), {}, 0});
  }
}

}  // namespace roofplan::model
