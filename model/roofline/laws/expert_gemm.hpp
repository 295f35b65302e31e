#pragma once

#include "model/roofline/laws/cache_state.hpp"
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
  // Given by chip and format.
  int sm_count = 1;
  double weight_bytes = 2;  ///< per element
  double input_bytes = 2;   ///< per element of the tokens as the kernel reads them
  // Discrete structure.
  /// The kernel multiplies the tokens of all devices, also those whose experts are elsewhere, instead of only
  /// those routed here.
  bool multiplies_all = false;
  // Physical parameters.
  Seconds launch = {};              ///< of all kernels
  BytesPerSecond memory_rate = {};  ///< streaming the weights of the experts touched
  FlopPerSecond matrix_rate = {};   ///< all SMs together
  BytesPerSecond sm_rate = {};      ///< bytes in flight into one SM
  Seconds tile_setup = {};          ///< prologue and epilogue of one tile
  Seconds k_step = {};              ///< shortest time of a step of one element along k
  double routed_bytes = 16;         ///< moved per routed token and element of hidden
  double token_bytes = 0.3;         ///< moved per token, choice and hidden element on every device
  Seconds per_local_expert = {};    ///< scheduling of groups, empty ones included
  Seconds per_token_doubling = {};  ///< sorting, per doubling of the tokens
  Bytes l2_size = {};               ///< of weights that stay in the L2 between launches; zero: none
};

/// Time: launch + the two products + moved bytes + scheduling. A product takes sqrt(core^2 + memory^2), core
/// = whole waves of tiles over the SMs x (k steps of the slowest of FLOP, bytes in flight and latency +
/// setup), as gemm_time(), in tiles of 128 columns and of the best height M: D (R/(D M) + expected half-empty
/// tile) of them, D distinct experts and R routed tokens of the busiest device. Distinct experts, not all
/// local ones, are read: that is what measurements of aiconfigurator-kernels show.
Seconds expert_gemm_time(const ExpertGemmShape& shape, const ExpertGemmLaw& law,
                         CacheState cache = CacheState::cold);

}  // namespace roofplan::model
