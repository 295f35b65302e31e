#include "model/json/json.hpp"
#include "model/llm/hf/layer_plan.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace roofplan::model::hf {
namespace {

using Mixer = LayerPlan::Mixer;
using Ffn = LayerPlan::Ffn;

void check_length(const Config& config, std::string_view key, std::size_t have, std::size_t layers) {
  if (have != layers)
    config.fail(key, fmt::format("{} has {} entries for {} layers", key, have, layers),
                fmt::format("{} entries", layers));
}

Mixer mixer_of(const Config& config, std::string_view key, const std::string& word) {
  if (word == "full_attention" || word == "attention" || word == "global_attention") return Mixer::full;
  if (word == "sliding_attention" || word == "chunked_attention" || word == "local_attention")
    return Mixer::window;
  if (word == "linear_attention" || word == "mamba" || word == "mamba2" || word == "conv")
    return Mixer::recurrent;
  config.fail(key, fmt::format("unknown kind of layer \"{}\"", word),
              "full_attention, sliding_attention, chunked_attention, linear_attention, mamba or conv");
}

/// Nemotron-H: one letter a layer.
bool from_letters(const Config& config, std::vector<LayerPlan>& layers) {
  const auto pattern = config.word({"hybrid_override_pattern"});
  if (!pattern) return false;
  check_length(config, "hybrid_override_pattern", pattern->size(), layers.size());
  for (std::size_t i = 0; i < layers.size(); ++i) {
    switch ((*pattern)[i]) {
      case 'M':
        layers[i].mixer = Mixer::recurrent, layers[i].ffn = Ffn::none;
        break;
      case '*':
        layers[i].mixer = Mixer::full, layers[i].ffn = Ffn::none;
        break;
      case '-':
        layers[i].mixer = Mixer::none, layers[i].ffn = Ffn::dense;
        break;
      case 'E':
        layers[i].mixer = Mixer::none, layers[i].ffn = Ffn::moe;
        break;
      default:
        config.fail("hybrid_override_pattern", fmt::format("letter {} is \"{}\"", i + 1, (*pattern)[i]),
                    "M, *, - or E");
    }
  }
  return true;
}

bool from_block_types(const Config& config, const Family& family, std::vector<LayerPlan>& layers) {
  const auto kinds = config.words("layers_block_type");
  if (kinds.empty()) return false;
  check_length(config, "layers_block_type", kinds.size(), layers.size());
  for (std::size_t i = 0; i < layers.size(); ++i) {
    LayerPlan& layer = layers[i];
    if (kinds[i] == "moe" || kinds[i] == "mlp") {
      layer.mixer = Mixer::none;
      layer.ffn = kinds[i] == "moe" ? Ffn::moe : Ffn::dense;
      continue;
    }
    layer.mixer = mixer_of(config, "layers_block_type", kinds[i]);
    if (family.single_blocks) layer.ffn = Ffn::none;
  }
  return true;
}

bool from_layer_types(const Config& config, std::vector<LayerPlan>& layers) {
  const auto kinds = config.words("layer_types");
  if (kinds.empty()) return false;
  check_length(config, "layer_types", kinds.size(), layers.size());
  for (std::size_t i = 0; i < layers.size(); ++i) layers[i].mixer = mixer_of(config, "layer_types", kinds[i]);
  return true;
}

/// 0: full, 1: windowed (MiMo).
bool from_window_list(const Config& config, std::vector<LayerPlan>& layers) {
  const auto list = config.counts("hybrid_layer_pattern", 1);
  if (list.empty()) return false;
  check_length(config, "hybrid_layer_pattern", list.size(), layers.size());
  for (std::size_t i = 0; i < layers.size(); ++i)
    layers[i].mixer = list[i] == 1 ? Mixer::window : Mixer::full;
  return true;
}

/// Kimi Linear: layer numbers from 1.
bool from_linear_config(const Config& config, std::vector<LayerPlan>& layers) {
  constexpr std::string_view kKey = "linear_attn_config.full_attn_layers";
  if (!config.has("linear_attn_config")) return false;
  for (LayerPlan& layer : layers) layer.mixer = Mixer::recurrent;
  for (const std::int64_t number : config.counts(kKey)) {
    if (number < 1 || number > static_cast<std::int64_t>(layers.size()))
      config.fail(kKey, fmt::format("layer {} does not exist", number),
                  fmt::format("numbers from 1 to {}", layers.size()));
    layers[static_cast<std::size_t>(number - 1)].mixer = Mixer::full;
  }
  return true;
}

/// Jamba (period and offset), Qwen3-Next (every n-th layer attends), LFM2 (a list of attending layers).
bool from_intervals(const Config& config, std::vector<LayerPlan>& layers) {
  const auto set = [&layers](auto&& attends) {
    for (std::size_t i = 0; i < layers.size(); ++i)
      layers[i].mixer = attends(static_cast<std::int64_t>(i)) ? Mixer::full : Mixer::recurrent;
    return true;
  };
  if (const auto period = config.count({"attn_layer_period"}); period && *period > 0) {
    const std::int64_t offset = config.count_or({"attn_layer_offset"}, 0);
    return set([&](std::int64_t i) { return i % *period == offset; });
  }
  if (const auto every = config.count({"full_attention_interval"}); every && *every > 0)
    return set([&](std::int64_t i) { return (i + 1) % *every == 0; });
  if (config.has("full_attn_idxs")) {
    const auto full = config.counts("full_attn_idxs");
    return set([&](std::int64_t i) { return std::find(full.begin(), full.end(), i) != full.end(); });
  }
  return false;
}

/// DeepSeek-V4: one ratio a layer, a further one for the MTP module.
bool from_pooling(const Config& config, std::vector<LayerPlan>& layers) {
  const auto ratios = config.counts("compress_ratios", 4096);
  if (ratios.empty()) return false;
  if (ratios.size() < layers.size()) check_length(config, "compress_ratios", ratios.size(), layers.size());
  for (std::size_t i = 0; i < layers.size(); ++i) {
    if (ratios[i] > 0 && 4096 % ratios[i] != 0)
      config.fail("compress_ratios", fmt::format("{} is no pooling ratio", ratios[i]),
                  "a power of two up to 4096");
    layers[i].mixer = Mixer::window;
    layers[i].pooling = ratios[i];
    layers[i].indexer = ratios[i] > 0 && ratios[i] < 128;
  }
  return true;
}

bool every(std::size_t i, std::int64_t period) {
  return period > 0 && (static_cast<std::int64_t>(i) + 1) % period == 0;
}

/// Which layers a bare sliding_window applies to.
void spread_window(const Config& config, const Family& family, std::vector<LayerPlan>& layers) {
  const auto set = [&layers](auto&& windowed) {
    for (std::size_t i = 0; i < layers.size(); ++i)
      if (windowed(i)) layers[i].mixer = Mixer::window;
  };
  if (const auto pattern = config.find("sliding_window_pattern")) {
    if (!pattern->is_string()) {
      const std::int64_t period = pattern->as_integer(0, kMostLayers);
      return set([&](std::size_t i) { return !every(i, period); });
    }
    const std::string letters = pattern->as_string();
    if (letters.empty() || letters.find_first_not_of("LG") != std::string::npos)
      pattern->fail("the pattern holds other letters than L and G", "letters such as LLLG");
    return set([&](std::size_t i) { return letters[i % letters.size()] == 'L'; });
  }
  if (config.has("attention_chunk_size")) {
    const auto no_rope = config.counts("no_rope_layers", 1);
    const std::int64_t period = config.count_or({"no_rope_layer_interval"}, 4);
    if (!no_rope.empty()) {
      check_length(config, "no_rope_layers", no_rope.size(), layers.size());
      return set([&](std::size_t i) { return no_rope[i] == 1; });
    }
    return set([&](std::size_t i) { return !every(i, period); });
  }
  if (const auto on = config.flag({"use_sliding_window"}); on || family.window_by_flag) {
    if (!on.value_or(false)) return;
    const std::int64_t first = config.count_or({"max_window_layers"}, 0);
    return set([&](std::size_t i) { return static_cast<std::int64_t>(i) >= first; });
  }
  set([&](std::size_t i) { return family.window_period == 0 || !every(i, family.window_period); });
}

std::int64_t window_size(const Config& config) {
  return config.count_or({"sliding_window", "sliding_window_size", "attention_chunk_size"}, 0, kMostTokens);
}

void mark_shared(const Config& config, std::vector<LayerPlan>& layers) {
  const auto kinds = config.words("indexer_types");
  if (!kinds.empty()) check_length(config, "indexer_types", kinds.size(), layers.size());
  for (std::size_t i = 0; i < kinds.size(); ++i) layers[i].indexer = kinds[i] != "shared";
  const auto shared = static_cast<std::size_t>(config.count_or({"num_kv_shared_layers"}, 0, kMostLayers));
  if (shared >= layers.size() && shared > 0)
    config.fail("num_kv_shared_layers",
                fmt::format("{} of {} layers share their cache", shared, layers.size()),
                "fewer than the layers");
  for (std::size_t i = layers.size() - shared; i < layers.size(); ++i) layers[i].shared_kv = true;
}

}  // namespace

void plan_mixers(const Config& config, const Family& family, std::vector<LayerPlan>& layers,
                 std::vector<std::string>& notes) {
  const std::int64_t window = window_size(config);
  const bool listed = from_letters(config, layers) || from_block_types(config, family, layers) ||
                      from_layer_types(config, layers) || from_window_list(config, layers) ||
                      from_linear_config(config, layers) || from_intervals(config, layers) ||
                      from_pooling(config, layers);
  const std::int64_t context = context_length(config);
  const bool matters = window > 0 && (context == 0 || window < context);
  if (!listed && matters) spread_window(config, family, layers);
  if (!listed && config.word({"model_type"}) == "mamba2")
    for (LayerPlan& layer : layers) layer.mixer = Mixer::recurrent;
  for (LayerPlan& layer : layers) {
    if (layer.mixer != Mixer::window) continue;
    if (window == 0) config.fail("sliding_window", "windowed layers without a window", "sliding_window");
    layer.window = window;
    if (!matters && layer.pooling == 0) layer.mixer = Mixer::full, layer.window = 0;
  }
  if (window > 0 && !matters)
    notes.push_back(
        fmt::format("the window of {} tokens is no smaller than the context and has no effect", window));
  const auto kinds = config.counts("attn_type_list", 1);
  if (std::find(kinds.begin(), kinds.end(), 0) != kinds.end())
    config.fail("attn_type_list", "lightning attention layers are not known", "1 for every layer");
  mark_shared(config, layers);
}

}  // namespace roofplan::model::hf
