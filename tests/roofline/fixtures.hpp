#pragma once

#include "model/catalog/format_catalog.hpp"
#include "model/llm/architecture.hpp"
#include "model/llm/weight_plan.hpp"
#include "model/roofline/step_model.hpp"
#include "tests/catalog/shipped_systems.hpp"

#include <memory>
#include <string>

namespace roofplan::model {

/// A stack of equal layers with grouped-query attention.
inline Architecture dense_model(std::int64_t layers, std::int64_t hidden, std::int64_t heads,
                                std::int64_t kv_heads, std::int64_t intermediate, std::int64_t vocab) {
  Attention attention;
  attention.heads = heads;
  attention.kv_heads = kv_heads;
  attention.head_dim = attention.v_head_dim = hidden / heads;
  LayerGroup group;
  group.name = "all";
  group.count = layers;
  group.attention = attention;
  group.dense = DenseFfn{intermediate, true, false};
  group.norm_elements = 2 * hidden;
  Architecture model;
  model.id = "dense";
  model.hidden = hidden;
  model.vocab = vocab;
  model.max_context = 131072;
  model.final_norm_elements = hidden;
  model.groups = {group};
  model.order.assign(static_cast<std::size_t>(layers), 0);
  return model;
}

/// The published shapes of Llama 3.1 8B and 70B (config.json of meta-llama/Llama-3.1-8B and -70B).
inline Architecture llama_8b() {
  return dense_model(32, 4096, 32, 8, 14336, 128256);
}
inline Architecture llama_70b() {
  return dense_model(80, 8192, 64, 8, 28672, 128256);
}

/// The same layers with `experts` routed experts of width `intermediate` instead of the dense part.
inline Architecture moe_model(std::int64_t experts, std::int64_t top_k, std::int64_t intermediate) {
  Architecture model = dense_model(32, 4096, 32, 8, 14336, 32000);
  MoeFfn moe;
  moe.experts = experts;
  moe.top_k = top_k;
  moe.intermediate = intermediate;
  model.groups[0].dense.reset();
  model.groups[0].moe = moe;
  return model;
}

inline const FormatTable& shipped_formats() {
  static const FormatTable table = load_formats(DataFiles(), shipped_systems().sources());
  return table;
}

inline const EfficiencyCatalog& shipped_efficiencies() {
  static const EfficiencyCatalog catalog(DataFiles(), shipped_systems().sources());
  return catalog;
}

/// A step model with everything it was made from.
struct Bench {
  Architecture model;
  WeightPlan weights;
  EngineSpeed engine;
  StepModel steps;

  Bench(Architecture architecture, const std::string& system, const std::string& format,
        const std::string& engine_id = "ideal", const StepShards& shards = {}, const ExchangeLaws& laws = {})
      : model(std::move(architecture)),
        weights(shipped_formats(), model, format),
        engine(load_engine_speed(DataFiles(), shipped_systems().sources(), engine_id)),
        steps(setup(system, shards, laws)) {}

 private:
  StepSetup setup(const std::string& system, const StepShards& shards, const ExchangeLaws& laws) const {
    const Chip& chip = shipped(system).chip;
    StepSetup out;
    out.model = &model;
    out.weights = &weights;
    out.kv = &shipped_formats().format("bf16");
    out.chip = &chip;
    out.efficiency = &shipped_efficiencies().of(chip);
    out.engine = &engine;
    out.shards = shards;
    out.exchanges = laws;
    return out;
  }
};

}  // namespace roofplan::model
