#include "model/llm/hf/layer_plan.hpp"

#include "model/json/json.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace roofplan::model::hf {
namespace {

using Mixer = LayerPlan::Mixer;
using Ffn = LayerPlan::Ffn;

std::int64_t layer_count(const Config& config) {
  if (const auto n = config.count({"num_hidden_layers", "n_layer", "n_layers", "num_layers"}, kMostLayers)) {
    if (*n == 0) config.fail("num_hidden_layers", "a model without layers", "1 or more");
    return *n;
  }
  for (const auto key : {"layers_block_type", "layer_types"})
    if (const auto kinds = config.words(key); !kinds.empty()) {
      if (static_cast<std::int64_t>(kinds.size()) > kMostLayers)
        config.fail(key, fmt::format("{} layers", kinds.size()), fmt::format("up to {}", kMostLayers));
      return static_cast<std::int64_t>(kinds.size());
    }
  if (const auto pattern = config.word({"hybrid_override_pattern"}))
    if (static_cast<std::int64_t>(pattern->size()) <= kMostLayers && !pattern->empty())
      return static_cast<std::int64_t>(pattern->size());
  return config.required({"num_hidden_layers", "n_layer", "n_layers", "num_layers"}, kMostLayers);
}

/// Routed layers by list; nothing when no list is given.
std::vector<bool> listed_routing(const Config& config, std::size_t layers) {
  std::vector<bool> routed;
  for (const std::string& kind : config.words("mlp_layer_types")) routed.push_back(kind == "sparse");
  if (const auto freq = config.find("moe_layer_freq"); routed.empty() && freq && freq->is_array())
    for (const std::int64_t on : config.counts("moe_layer_freq", 1)) routed.push_back(on == 1);
  if (const auto list = config.find("is_moe_layer"); routed.empty() && list && list->is_array())
    for (const JsonReader& on : list->elements()) routed.push_back(on.as_bool());
  if (const auto list = config.find("moe_layers"); routed.empty() && list && list->is_array()) {
    routed.assign(layers, false);
    for (const JsonReader& index : list->elements())
      routed[static_cast<std::size_t>(index.as_integer(0, static_cast<std::int64_t>(layers) - 1))] = true;
  }
  if (!routed.empty() && routed.size() != layers)
    config.fail("moe_layer_freq", fmt::format("routing is given for {} of {} layers", routed.size(), layers),
                "one entry a layer");
  return routed;
}

/// Routed layers by rule: the first k dense, every n-th from an offset, some excepted.
bool routed_by_rule(const Config& config, const std::vector<std::int64_t>& excepted, std::int64_t i) {
  if (std::find(excepted.begin(), excepted.end(), i) != excepted.end()) return false;
  if (i < config.count_or({"first_k_dense_replace"}, 0, kMostLayers)) return false;
  const auto freq = config.find("moe_layer_freq");
  if (freq && !freq->is_array() && i % std::max<std::int64_t>(1, freq->as_integer(0, kMostLayers)) != 0)
    return false;
  const std::int64_t step =
      config.count_or({"decoder_sparse_step", "interleave_moe_layer_step"}, 1, kMostLayers);
  if (step > 0 && (i + 1) % step != 0) return false;
  if (const auto period = config.count({"expert_layer_period"}, kMostLayers); period && *period > 0)
    return i % *period == config.count_or({"expert_layer_offset"}, 0, kMostLayers);
  return true;
}

}  // namespace

std::int64_t expert_count(const Config& config) {
  return config.count_or({"num_experts", "n_routed_experts", "num_local_experts", "moe_num_experts",
                          "ffn_config.moe_num_experts"},
                         0, 1 << 20);
}

std::int64_t context_length(const Config& config) {
  const std::int64_t positions = config.count_or(
      {"max_position_embeddings", "n_positions", "max_seq_len", "seq_length", "n_ctx", "max_sequence_length"},
      0, kMostTokens);
  return std::max(positions, config.count_or({"model_max_length"}, 0, kMostTokens));
}

void plan_ffns(const Config& config, const Family& family, std::vector<LayerPlan>& layers) {
  if (family.single_blocks) return;
  const bool plain_mamba = config.word({"model_type"}) == "mamba2";
  if (plain_mamba) {
    for (LayerPlan& layer : layers) layer.ffn = Ffn::none;
    return;
  }
  const std::int64_t experts = expert_count(config);
  if (experts <= 1 && family.model_type != "mixtral") return;
  if (config.is_set({"enable_moe_block"})) {
    for (LayerPlan& layer : layers) layer.ffn = Ffn::both;
    return;
  }
  const std::vector<bool> listed = listed_routing(config, layers.size());
  const auto excepted = config.counts("mlp_only_layers", kMostLayers);
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const bool routed =
        listed.empty() ? routed_by_rule(config, excepted, static_cast<std::int64_t>(i)) : bool{listed[i]};
    layers[i].ffn = routed ? Ffn::moe : Ffn::dense;
  }
}

std::vector<LayerPlan> layer_plan(const Config& config, const Family& family,
                                  std::vector<std::string>& notes) {
  std::vector<LayerPlan> layers(static_cast<std::size_t>(layer_count(config)));
  plan_mixers(config, family, layers, notes);
  plan_ffns(config, family, layers);
  return layers;
}

}  // namespace roofplan::model::hf
