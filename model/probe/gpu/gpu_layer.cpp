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
                                   const model::Catalog& catalog, std::int64_t devices) {
  const model::NumberFormat& bf16 = catalog.formats().format("bf16");
  const model::Chip& chip = catalog.systems().find(kAnySystem).chip;
  const model::EfficiencyCatalog efficiencies(catalog.files(), catalog.sources());
  const model::EngineSpeed engine = model::load_engine_speed(catalog.files(), catalog.sources(), "ideal");
  const model::Rates rates(chip, efficiencies.of(chip), engine);
  model::StepRecipe recipe;
  recipe.model = &model;
  recipe.kv = &bf16;
  recipe.rates = &rates;
  recipe.shards.attention_tp = recipe.shards.moe_tp = devices;
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

[[noreturn]] void refuse(const model::Architecture& model, const std::string& why) {
  throw model::InputError(model::InputError::Kind::usage,
                          fmt::format("a layer of {} cannot be replayed: {}", model.id, why),
                          "a model whose attention is grouped-query or latent");
}

AttentionWork attention_of(const model::Attention& a, std::int64_t batch, std::int64_t seen,
                           std::int64_t devices) {
  AttentionWork out{batch, seen, a.heads / devices, std::max<std::int64_t>(1, a.kv_heads / devices),
                    a.head_dim};
  if (a.kind == model::Attention::Kind::mla) {
    out.kv_heads = 1;
    out.head_dim = a.kv_lora_rank + a.rope_dim;
    out.latent = a.kv_lora_rank;
  }
  if (out.by_products()) out.depth = (seen + kVector - 1) / kVector * kVector;
  return out;
}

/// What stands for one layer, divided by `devices`.
struct LayerPlan {
  const model::Architecture& model;
  const model::LayerGroup& group;
  std::int64_t batch, depth, devices;

  void check() const {
    const auto divides = [&](std::int64_t count) { return count % devices == 0; };
    const auto& a = group.attention;
    const bool heads = !a || (divides(a->heads) && (a->kind == model::Attention::Kind::mla ||
                                                    divides(a->kv_heads) || devices % a->kv_heads == 0));
    const bool widths = (!group.dense || divides(group.dense->intermediate)) &&
                        (!group.moe || divides(group.moe->intermediate));
    if (!heads || !widths) refuse(model, fmt::format("{} devices do not divide it", devices));
  }

  GpuWork work_of(const Operator& op) const {
    const std::string_view name = op.name;
    switch (op.kind) {
      case OperatorKind::gemm:
        return ProductWork{ProductWork::Format::bfloat16, batch, whole(op.n), whole(op.k)};
      case OperatorKind::attention_decode: {
        const auto kind = group.attention->kind;
        const bool known = kind == model::Attention::Kind::gqa || kind == model::Attention::Kind::mla;
        if (!known || name.starts_with("indexer")) break;
        return attention_of(*group.attention, batch, whole(op.visibility.seen(static_cast<double>(depth))),
                            devices);
      }
      case OperatorKind::grouped_gemm: {
        const double distinct =
            model::distinct_experts(op.experts, op.top_k, static_cast<double>(batch), 1.0);
        return ExpertsWork{batch,           whole(op.top_k), whole(op.experts),
                           whole(distinct), model.hidden,    group.moe->intermediate / devices};
      }
      case OperatorKind::elementwise:
      case OperatorKind::copy:
        return elementwise_of(op, batch, model.hidden);
      default:
        break;
    }
    refuse(model, op.name);
  }

  /// Activations of all sequences, summed over the devices.
  LayerOperator exchange(const char* name) const {
    return {name, CollectiveWork{.kind = CollectiveWork::Kind::all_reduce,
                                 .bytes = 2 * batch * model.hidden,
                                 .ranks = static_cast<int>(devices),
                                 .captured = true}};
  }
};

}  // namespace

std::vector<LayerOperator> layer_operators(const model::Architecture& model, const model::Catalog& catalog,
                                           std::int64_t batch, std::int64_t depth, std::int64_t devices) {
  const model::LayerGroup& group = most_frequent(model);
  const LayerPlan plan{model, group, batch, depth, devices};
  plan.check();
  std::vector<LayerOperator> out;
  for (const Operator& op : operators_of(model, group, catalog, devices)) {
    out.push_back({op.name, plan.work_of(op)});
    if (devices > 1 && out.back().name == "attention.out")
      out.push_back(plan.exchange("attention.all_reduce"));
  }
  if (devices > 1) out.push_back(plan.exchange("ffn.all_reduce"));
  return out;
}

}  // namespace roofplan::probe
