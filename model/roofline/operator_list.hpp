#pragma once

#include "model/llm/architecture.hpp"
#include "model/llm/formats.hpp"
#include "model/llm/kv_cache.hpp"
#include "model/llm/tensors.hpp"
#include "model/roofline/kernel_times.hpp"
#include "model/roofline/operator.hpp"
#include "model/roofline/rates.hpp"

#include <cstddef>
#include <functional>
#include <vector>

namespace roofplan::model {

/// Activations between kernels are 16-bit in every engine.
inline constexpr double kActivationBytes = 2;

/// How one replica's work is divided over its devices. Devices of a pipeline stage: attention_tp x
/// attention_dp = moe_tp x ep.
struct StepShards {
  std::int64_t attention_tp = 1;  ///< ranks that divide attention heads and dense layers
  std::int64_t attention_dp = 1;  ///< groups of such ranks, each with its own sequences
  std::int64_t moe_tp = 1;        ///< ranks that divide one expert's width
  std::int64_t ep = 1;            ///< ranks that divide the experts
  std::int64_t pp = 1;            ///< pipeline stages
  std::int64_t cp = 1;            ///< ranks that divide a prompt

  std::int64_t stage_devices() const { return attention_tp * attention_dp * cp; }
  std::int64_t devices() const { return stage_devices() * pp; }
  /// Share of the replica's new tokens that a device outside the experts works on. Context parallelism
  /// divides a prompt; in decode it divides the cache that attention reads, not the tokens.
  double token_share(Phase phase) const {
    return 1.0 / static_cast<double>(attention_dp * (phase == Phase::prefill ? cp : 1));
  }
};

/// How a tensor is stored: bytes of all its copies in one layer (the mean over the layers of the group) and
/// the format that most of them have.
struct StoredTensor {
  double bytes = 0;
  const NumberFormat* format = nullptr;
};
/// Looks up the storage of a tensor of a layer group; nullptr for embedding, head and final norm.
using WeightStorage = std::function<StoredTensor(const LayerGroup* group, const Tensor& tensor)>;

/// What the operators of a step are made from.
struct StepRecipe {
  const Architecture* model = nullptr;
  WeightStorage weights;
  const NumberFormat* kv = nullptr;
  StepShards shards;
  const Rates* rates = nullptr;
  KernelTimes* kernels = nullptr;  ///< answer before the rates where they have a law; nullptr: none
  /// Norms of queries, keys and latents, gates and convolutions as kernels of their own; engines that were
  /// fitted without kernel laws have them in their overhead per layer.
  bool counts_norms = false;
};

/// All operators of one step on one device, whole depth of the model, without communication and software.
/// GEMMs that engines fuse (q, k, v; gate, up) are one operator; MLA decodes with absorbed projections
/// (DeepSeek-V2, arXiv:2405.04434, section 2.1.3) and prefills with expanded heads; a tied head reads the
/// embedding again; the head works on one token per sequence.
std::vector<Operator> step_operators(const StepRecipe& recipe, Phase phase);

/// A kernel that only moves so many elements of activations for each token.
Operator elementwise(const StepRecipe& recipe, const char* name, Phase phase, double elements);

/// The operators of one layer of a group, appended.
void append_layer(const StepRecipe& recipe, const LayerGroup& group, Phase phase, std::vector<Operator>& out);

}  // namespace roofplan::model
