#include "model/llm/stand_in.hpp"

#include "model/llm/parameters.hpp"
#include "model/units/unit_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace roofplan::model {
namespace {

constexpr std::int64_t kHeadDim = 128, kKvHeads = 8, kVocab = 128256, kContext = 131072;
// Steps of the feed-forward width: tensor parallelism divides them.
constexpr std::int64_t kDenseStep = 256, kExpertStep = 64;
constexpr std::int64_t kHiddenStep = 512;  // at least four heads more
constexpr std::int64_t kTopK = 8;
constexpr double kHiddenPerLayer = 102.4;  // Llama 3.1 70B: 8192 / 80

[[noreturn]] void refuse(std::string_view name, std::string_view why) {
  throw InputError(InputError::Kind::usage, fmt::format("\"{}\" {}", name, why),
                   "a size such as dense:70B, or moe:120B-a5B with the active parameters behind a");
}

std::int64_t parse_size(std::string_view name, std::string_view text) {
  constexpr double kLeast = 5e8, kMost = 1e14;
  if (text.empty()) refuse(name, "has no size");
  double factor = 0;
  switch (text.back()) {
    case 'K':
      factor = 1e3;
      break;
    case 'M':
      factor = 1e6;
      break;
    case 'B':
      factor = 1e9;
      break;
    case 'T':
      factor = 1e12;
      break;
    default:
      refuse(name, "has a size without K, M, B or T");
  }
  const double params = parse_number(text.substr(0, text.size() - 1)) * factor;
  if (!(params >= kLeast && params <= kMost)) refuse(name, "is out of range (500M to 100T parameters)");
  return std::llround(params);
}

std::int64_t layers_of(std::int64_t hidden) {
  return std::max<std::int64_t>(4, std::llround(static_cast<double>(hidden) / kHiddenPerLayer));
}

std::int64_t attention_params(std::int64_t hidden) {
  const std::int64_t kv_heads = std::min(kKvHeads, hidden / kHeadDim);
  return 2 * hidden * hidden + 2 * hidden * kv_heads * kHeadDim;
}

/// Parameters of a dense model of that hidden width with a feed-forward part of 3.5 x hidden.
double usual_params(std::int64_t hidden) {
  const auto h = static_cast<double>(hidden);
  const double layer = static_cast<double>(attention_params(hidden)) + 10.5 * h * h;
  return static_cast<double>(layers_of(hidden)) * layer + 2.0 * kVocab * h;
}

/// The hidden width whose usual size comes nearest to `params`.
std::int64_t hidden_for(std::int64_t params) {
  std::int64_t hidden = kHiddenStep;
  while (usual_params(hidden) < static_cast<double>(params)) hidden += kHiddenStep;
  const double above = usual_params(hidden) - static_cast<double>(params);
  const double below = static_cast<double>(params) - usual_params(hidden - kHiddenStep);
  return below < above && hidden > kHiddenStep ? hidden - kHiddenStep : hidden;
}

LayerGroup layer_of(std::int64_t hidden, std::string name) {
  Attention attention;
  attention.heads = hidden / kHeadDim;
  attention.kv_heads = std::min(kKvHeads, attention.heads);
  attention.head_dim = attention.v_head_dim = kHeadDim;
  LayerGroup group;
  group.name = std::move(name);
  group.attention = attention;
  group.norm_elements = 2 * hidden;
  return group;
}

Architecture skeleton(std::string_view name, std::int64_t hidden) {
  Architecture model;
  model.id = std::string(name);
  model.family = "stand-in";
  model.architecture = "stand-in";
  model.hidden = hidden;
  model.vocab = kVocab;
  model.max_context = kContext;
  model.final_norm_elements = hidden;
  return model;
}

void set_width(LayerGroup& group, std::int64_t width) {
  if (group.dense) group.dense->intermediate = width;
  if (group.moe) group.moe->intermediate = width;
}

/// Chooses the feed-forward width so that the total is exact: layers of two widths a step apart, and the rest
/// of less than one layer's step beside the embedding.
void fill_up(Architecture& model, const LayerGroup& layer, std::int64_t layers, std::int64_t total,
             std::int64_t step) {
  LayerGroup narrow = layer, wide = layer;
  set_width(wide, step);
  const std::int64_t step_params = layer_elements(model, wide) - layer_elements(model, narrow);
  model.groups = {narrow};
  model.groups[0].count = layers;
  model.order.assign(static_cast<std::size_t>(layers), 0);
  const std::int64_t steps = (total - count_parameters(model).total) / step_params;
  const std::int64_t wider = steps % layers;
  set_width(narrow, steps / layers * step);
  set_width(wide, (steps / layers + 1) * step);
  narrow.count = layers - wider;
  wide.count = wider;
  model.groups = {narrow};
  if (wider > 0) model.groups.push_back(wide);
  std::fill(model.order.end() - wider, model.order.end(), std::uint16_t{1});
  model.embedding_extra = total - count_parameters(model).total;
}

Architecture dense_model(std::string_view name, std::int64_t total) {
  const std::int64_t hidden = hidden_for(total);
  Architecture model = skeleton(name, hidden);
  LayerGroup layer = layer_of(hidden, "full attention + dense");
  layer.dense = DenseFfn{};
  fill_up(model, layer, layers_of(hidden), total, kDenseStep);
  model.assumptions.push_back(
      fmt::format("a stand-in shape for {} parameters: {} layers, hidden {}, feed-forward {}, {} heads, {} "
                  "KV heads of {}",
                  grouped(total), model.layers(), hidden, model.groups[0].dense->intermediate,
                  layer.attention->heads, layer.attention->kv_heads, kHeadDim));
  return model;
}

Architecture moe_model(std::string_view name, std::int64_t total, std::int64_t active) {
  if (active >= total) refuse(name, "has no fewer active parameters than parameters");
  const std::int64_t hidden = hidden_for(active);
  Architecture model = skeleton(name, hidden);
  LayerGroup layer = layer_of(hidden, "full attention + moe");
  const std::int64_t layers = layers_of(hidden);
  // What is read per token beside experts: attention and head; the embedding is stored but not read.
  const std::int64_t fixed = layers * attention_params(hidden) + kVocab * hidden;
  const auto experts_active = static_cast<double>(active - fixed);
  const auto experts_total = static_cast<double>(total - fixed - kVocab * hidden);
  const double experts = kTopK * experts_total / experts_active;
  if (!(experts_active > 0 && experts > kTopK)) refuse(name, "has too many active parameters for experts");
  MoeFfn moe;
  moe.experts = std::max<std::int64_t>(kTopK + 1, std::llround(experts / kTopK) * kTopK);
  moe.top_k = kTopK;
  layer.moe = moe;
  fill_up(model, layer, layers, total, kExpertStep);
  model.assumptions.push_back(fmt::format(
      "a stand-in shape for {} parameters, {} of them active: {} layers, hidden {}, {} experts of width {}, "
      "{} "
      "active, {} heads, {} KV heads of {}",
      grouped(total), grouped(count_parameters(model).active), layers, hidden, moe.experts,
      model.groups[0].moe->intermediate, kTopK, layer.attention->heads, layer.attention->kv_heads, kHeadDim));
  return model;
}

constexpr std::string_view kDense = "dense:", kMoe = "moe:";

Architecture model_of_size(std::string_view name) {
  if (name.starts_with(kDense)) return dense_model(name, parse_size(name, name.substr(kDense.size())));
  if (!name.starts_with(kMoe)) refuse(name, "is no size");
  const std::string_view sizes = name.substr(kMoe.size());
  const std::size_t dash = sizes.find("-a");
  const std::size_t end = dash == std::string_view::npos ? sizes.find("-A") : dash;
  if (end == std::string_view::npos) refuse(name, "does not say how many parameters are active");
  return moe_model(name, parse_size(name, sizes.substr(0, end)), parse_size(name, sizes.substr(end + 2)));
}

}  // namespace

bool is_stand_in_name(std::string_view name) {
  return name.starts_with(kDense) || name.starts_with(kMoe);
}

Architecture stand_in_model(std::string_view name) {
  Architecture model = model_of_size(name);
  model.stand_in = true;
  return model;
}

}  // namespace roofplan::model
