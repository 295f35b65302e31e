#pragma once

#include "model/llm/weight_plan.hpp"
#include "model/memory/engine.hpp"
#include "model/units/text.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace roofplan::model {

/// How one deployment divides a model over devices.
struct ParallelPlan {
  std::int64_t tp = 1;            ///< ranks that share every layer
  std::int64_t pp = 1;            ///< stages of consecutive layers
  std::int64_t ep = 1;            ///< ways in which the experts are spread over the TP ranks; divides tp
  std::int64_t dp = 1;            ///< independent replicas
  std::int64_t cp = 1;            ///< ranks that share the tokens of a sequence
  std::int64_t attention_dp = 1;  ///< groups of TP ranks that attend to sequences of their own; divides tp

  std::int64_t devices_per_replica() const { return tp * pp * cp; }
  std::int64_t devices() const { return devices_per_replica() * dp; }
  std::int64_t attention_tp() const { return tp / attention_dp; }
  std::int64_t expert_tp() const { return tp / ep; }
  /// Groups among which requests are dealt out.
  std::int64_t sequence_groups() const { return dp * attention_dp; }
  bool operator==(const ParallelPlan&) const = default;
};

/// The layers of one pipeline stage.
struct Stage {
  std::int64_t first_layer = 0;
  std::int64_t layers = 0;
  bool has_embedding = false;
  bool has_head = false;
  std::vector<std::int64_t> group_layers;  ///< layers of each group of the architecture
};

/// Consecutive stages; layers that do not divide go one each to the stages before the last, which has the
/// head to compute (vLLM, get_pp_indices). pp in 1 .. layers.
std::vector<Stage> pipeline_stages(const Architecture& model, std::int64_t pp);

/// Why an engine cannot run the plan, one text a reason; empty: it can. Rules: query heads are divided
/// evenly; KV heads too, or they are repeated on tp / kv_heads ranks each; a latent (MLA) is repeated on
/// every rank; feed-forward widths and, at quantised matrices, whole scale groups are divided evenly.
std::vector<Text> plan_faults(const Architecture& model, const WeightPlan& weights,
                              const EngineMemory& engine, const ParallelPlan& plan);

/// Whether plan_faults() finds none, without telling why: for searches.
bool plan_is_legal(const Architecture& model, const WeightPlan& weights, const EngineMemory& engine,
                   const ParallelPlan& plan);

/// The TP degrees up to `most` that plan_faults allows, other degrees being 1 (and ep = tp where only that
/// divides the experts).
std::vector<std::int64_t> legal_tp(const Architecture& model, const WeightPlan& weights,
                                   const EngineMemory& engine, std::int64_t most);

/// The least expert parallelism that divides the experts at this TP: 1, else tp.
std::int64_t natural_ep(const Architecture& model, const WeightPlan& weights, std::int64_t tp);

/// The part of `tensor` that one rank holds, padded as engines pad it (vocabulary to 64 rows a rank).
/// `kv_heads` is that of the layer's attention, for tensors divided by KV heads.
Tensor rank_share(const Tensor& tensor, const ParallelPlan& plan, std::int64_t kv_heads);

/// KV heads on one rank: at least one.
std::int64_t rank_kv_heads(std::int64_t kv_heads, std::int64_t attention_tp);

/// Weights on one device of each stage. Modules beside the text model: towers on the first stage where
/// `with_vision`, MTP on the last where `with_mtp`. `embedding_elsewhere`: an untied input embedding is kept
/// in host memory.
struct WeightPlacement {
  bool with_vision = false;
  bool with_mtp = false;
  bool embedding_elsewhere = false;
};
std::vector<ByteCount> stage_weights(const Architecture& model, const WeightPlan& weights,
                                     const ParallelPlan& plan, const std::vector<Stage>& stages,
                                     const WeightPlacement& placement);

}  // namespace roofplan::model
