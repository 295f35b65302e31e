#include "model/probe/gpu/gpu_layer.hpp"

#include "model/roofline/efficiency.hpp"
#include "model/roofline/engine_speed.hpp"
#include "model/roofline/operator_list.hpp"
#include "model/units/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace roofplan::probe {
namespace {

using model::Operator;
using model::OperatorKind;

/// Operators of one layer carry rates; only their shapes are wanted here, so any chip of the catalogue does.
constexpr const char* kAnySystem = "dgx-h200";
constexpr std::int64_t kVector = 8;  // numbers of a load

std::int64_t whole(double value) {
  return std::llround(value);
}

const model::LayerGroup& most_frequent(const model::Architecture& model) {
  return *std::max_element(model.groups.begin(), model.groups.end(),
                           [](const auto& a, const auto& b) { return a.count < b.count; });
}

std::vector<Operator> operators_of(const model::Architecture& model, const model::LayerGroup& group,
                                   const model::Catalog& catalog) {
  const model::NumberFormat& bf16 = catalog.formats().format("bf16");
  const model::Chip& chip = catalog.systems().find(kAnySystem).chip;
  const model::EfficiencyCatalog efficiencies(catalog.files(), catalog.sources());
  const model::EngineSpeed engine = model::load_engine_speed(catalog.files(), catalog.sources(), "ideal");
  const model::Rates rates(chip, efficiencies.of(chip), engine);
  model::StepRecipe recipe;
  recipe.model = &model;
  recipe.kv = &bf16;
  recipe.rates = &rates;
  recipe.weights = [&](const model::LayerGroup*, const model::Tensor& t) {
    return model::StoredTensor{
        2 * static_cast<double>(t.rows) * static_cast<double>(t.cols) * static_cast<double>(t.copies), &bf16};
  };
  std::vector<Operator> out;
  model::append_layer(recipe, group, model::Phase::decode, out);
  return out;
}

ElementwiseWork elementwise_of(const Operator& op, std::int64_t batch, std::int64_t hidden) {
  if (std::string_view(op.name).ends_with(".norm")) return {ElementwiseWork::Kind::norm, batch, hidden};
  // As many bytes as two rows read and one written, in bfloat16.
  const double bytes = op.activation_bytes_per_token + op.kv_write_bytes_per_token;
  return {ElementwiseWork::Kind::gate, batch,
          std::max<std::int64_t>(1, whole(bytes / 6 / kVector)) * kVector};
}

GpuWork work_of(const Operator& op, const model::Architecture& model, const model::LayerGroup& group,
                std::int64_t batch, std::int64_t depth) {
  switch (op.kind) {
    case OperatorKind::gemm:
      return ProductWork{ProductWork::Format::bfloat16, batch, whole(op.n), whole(op.k)};
    case OperatorKind::attention_decode:
      if (group.attention->kind == model::Attention::Kind::gqa) {
        const model::Attention& a = *group.attention;
        const std::int64_t seen = whole(op.visibility.seen(static_cast<double>(depth)));
        return AttentionWork{batch, seen, a.heads, a.kv_heads, a.head_dim};
      }
      break;
    case OperatorKind::grouped_gemm: {
      const double distinct = model::distinct_experts(op.experts, op.top_k, static_cast<double>(batch), 1.0);
      return ExpertsWork{batch,           whole(op.top_k), whole(op.experts),
                         whole(distinct), model.hidden,    group.moe->intermediate};
    }
    case OperatorKind::elementwise:
    case OperatorKind::copy:
      return elementwise_of(op, batch, model.hidden);
    default:
      break;
  }
  throw model::InputError(model::InputError::Kind::usage,
                          fmt::format("a layer of {} cannot be replayed: {}", model.id, op.name),
                          "a model with grouped-query attention");
}

}  // namespace

std::vector<LayerOperator> layer_operators(const model::Architecture& model, const model::Catalog& catalog,
                                           std::int64_t batch, std::int64_t depth) {
  const model::LayerGroup& group = most_frequent(model);
  std::vector<LayerOperator> out;
  for (const Operator& op : operators_of(model, group, catalog))
    out.push_back({op.name, work_of(op, model, group, batch, depth)});
  return out;
}

}  // namespace roofplan::probe
