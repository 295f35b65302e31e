#include "model/llm/weight_plan.hpp"

#include "model/units/error.hpp"

#include <algorithm>

namespace roofplan::model {
namespace {

bool in_layers(MixLayers where, std::int64_t i, std::int64_t n) {
  switch (where) {
    case MixLayers::all:
      return true;
    case MixLayers::first_two:
      return i < 2;
    case MixLayers::first_four:
      return i < 4;
    case MixLayers::first_sixteenth:
      return i < n / 16;
    case MixLayers::first_eighth:
      return i < n / 8;
    case MixLayers::middle:
      return i >= n / 8 && i < 7 * n / 8;
    case MixLayers::more_bits:
      return i < n / 8 || i >= 7 * n / 8 || (i - n / 8) % 3 == 2;
  }
  return false;
}

/// What GGUF calls the part of the layer; empty for tensors that no rule names.
std::string_view mix_part(TensorRole role) {
  switch (role) {
    case TensorRole::q_proj:
      return "q";
    case TensorRole::k_proj:
      return "k";
    case TensorRole::v_proj:
      return "v";
    case TensorRole::o_proj:
      return "attention_output";
    case TensorRole::gate:
      return "gate";
    case TensorRole::up:
      return "up";
    case TensorRole::down:
      return "down";
    default:
      return {};
  }
}

}  // namespace

WeightPlan::WeightPlan(const FormatTable& table, const Architecture& model, std::string_view id)
    : id_(id), table_(&table), model_(&model) {
  sixteen_ = &table.format("bf16");
  thirty_two_ = &table.format("fp32");
  for (const LayerGroup& group : model.groups) {
    if (group.moe) experts_ = std::max(experts_, group.moe->experts);
    if (group.attention && group.attention->kv_heads > 0)
      query_group_ = group.attention->heads / group.attention->kv_heads;
  }
  mix_ = table.mix_if(id);
  if (id == "native") {
    for (std::size_t c = 0; c < kTensorClasses; ++c) {
      by_class_[c] = table.format_if(model.native.by_class[c]);
      if (by_class_[c] == nullptr)
        throw InputError(InputError::Kind::content,
                         "unknown native format '" + model.native.by_class[c] + "'");
    }
  } else if (mix_ == nullptr) {
    by_class_.fill(&table.format(id));
    if (!model.stand_in)
      for (TensorClass kind : table.format(id).kept) by_class_[static_cast<std::size_t>(kind)] = sixteen_;
  }
  main_ = choose_main();
}

const NumberFormat* WeightPlan::choose_main() const {
  if (mix_ != nullptr)
    return &table_->format(experts_ > 0 && !mix_->experts.empty() ? mix_->experts : mix_->base);
  if (experts_ > 0) return of_class(TensorClass::expert);
  for (const LayerGroup& group : model_->groups)
    if (group.dense) return of_class(TensorClass::dense_ffn);
  for (const LayerGroup& group : model_->groups)
    if (group.attention) return of_class(TensorClass::attention);
  return of_class(TensorClass::recurrent);
}

const NumberFormat& WeightPlan::format_of(const Tensor& tensor, std::int64_t layer) const {
  if (mix_ != nullptr) return of_mix(tensor, layer);
  const NumberFormat& format = *of_class(tensor.kind);
  if (format.gguf && (tensor.one_dimensional || tensor.kind == TensorClass::router)) return *thirty_two_;
  if (model_->stand_in) return format;
  const bool small = tensor.one_dimensional || tensor.role == TensorRole::conv;
  const bool quantised = !format.scales.empty() || format.block_elements > 0;
  if (small && quantised) return *sixteen_;
  return format.divides(tensor.cols) ? format : table_->format(format.fallback);
}

bool WeightPlan::holds(const MixRule& rule, std::string_view part, std::int64_t layer,
                       const std::string& type) const {
  const std::int64_t n = model_->layers();
  return rule.part == part && in_layers(rule.layers, layer, n) && query_group_ >= rule.min_gqa &&
         (rule.experts == 0 || rule.experts == experts_) &&
         (rule.layer_count == 0 || rule.layer_count == n) &&
         (rule.from.empty() || std::find(rule.from.begin(), rule.from.end(), type) != rule.from.end());
}

const std::string& WeightPlan::mix_type(const Tensor& tensor, std::int64_t layer) const {
  if (tensor.kind == TensorClass::head) return mix_->head;
  if (tensor.kind == TensorClass::embedding) return model_->tied_embeddings ? mix_->head : mix_->embedding;
  if (tensor.kind == TensorClass::expert && !mix_->experts.empty()) return mix_->experts;
  const std::string* type = &mix_->base;
  const std::string_view part = mix_part(tensor.role);
  for (const MixRule& rule : mix_->rules)
    if (holds(rule, part, layer, *type)) type = &rule.format;
  return *type;
}

const NumberFormat& WeightPlan::of_mix(const Tensor& tensor, std::int64_t layer) const {
  const bool unquantised = tensor.one_dimensional || tensor.kind == TensorClass::router ||
                           tensor.role == TensorRole::conv || tensor.role == TensorRole::positions;
  if (unquantised) return *thirty_two_;
  const NumberFormat* format = &table_->format(mix_type(tensor, layer));
  if (format->divides(tensor.cols)) return *format;
  format = &table_->format(format->fallback);
  return format->divides(tensor.cols) ? *format : table_->format("fp16");
}

std::string in_gguf(const FormatTable& table, const Architecture& model, std::string_view id) {
  const bool routed = std::any_of(model.groups.begin(), model.groups.end(),
                                  [](const LayerGroup& group) { return group.moe.has_value(); });
  const std::string_view experts = id == "native" ? model.native.of(TensorClass::expert) : id;
  for (const FormatMix& mix : table.mixes())
    if (routed && !model.stand_in && !mix.checkpoint.empty() && mix.checkpoint == experts) return mix.id;
  return std::string(id);
}

}  // namespace roofplan::model
