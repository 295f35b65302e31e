#pragma once

#include "model/roofline/laws/expert_load.hpp"
#include "model/units/quantity.hpp"

namespace roofplan::model {

/// The routed experts of one layer on one device: permutation, the grouped products, combination.
struct ExpertGemmShape {
  double tokens = 1;  ///< of the layer, before routing
  double top_k = 1;
  double hidden = 1;
  double inner = 1;          ///< of one expert on this device
  double local_experts = 1;  ///< held by this device
  bool gated = true;         ///< three matrices an expert, else two
  ExpertLoad load = {};      ///< of the busiest device
};

/// Grouped product of one chip, format and kernel.
struct ExpertGemmLaw {
  /// The kernel multiplies the tokens of all devices, also those whose experts are elsewhere, instead of only
  /// those routed here.
  bool multiplies_all = false;
  double weight_bytes = 2;          ///< per element
  Seconds launch = {};              ///< of all kernels
  BytesPerSecond memory_rate = {};  ///< streaming the weights of the experts touched
  FlopPerSecond matrix_rate = {};
  double tile_overhead = 8;       ///< rows that a tile costs beyond those it holds
  Seconds depth_step = {};        ///< latency along k, per element of hidden + inner
  double routed_bytes = 16;       ///< moved per routed token and element of hidden
  double token_bytes = 0.3;       ///< moved per token, choice and hidden element on every device
  Seconds per_local_expert = {};  ///< scheduling of groups, empty ones included
  Seconds per_distinct_expert = {};
  Seconds per_token_doubling = {};  ///< sorting, per doubling of the tokens
};

/// Time: launch + cbrt((memory^2 + tiles^2)^(3/2) + depth^3) + moved bytes + scheduling. Tiles of the best
/// height M: D M (R/(D M) + expected half-empty tile) rows, D distinct experts and R routed tokens of the
/// busiest device. Distinct experts, not all local ones, are read: that is what measurements of
/// aiconfigurator-kernels show.
Seconds expert_gemm_time(const ExpertGemmShape& shape, const ExpertGemmLaw& law);

}  // namespace roofplan::model
