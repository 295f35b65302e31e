#pragma once

#include "model/fabric/scale_out_law.hpp"

#include <cstdint>

namespace roofplan::model {

/// The all-to-all of expert parallelism in one layer: tokens go to the ranks of their experts (dispatch) and
/// their results come back (combine).
struct ExpertExchange {
  std::int64_t tokens = 0;  ///< of one rank
  std::int64_t hidden = 0;
  int top_k = 1;                ///< experts of a token
  int ranks = 1;                ///< that share the experts evenly
  double dispatch_bytes = 2.0;  ///< per element on the way out: 1 for fp8, with its scales a little more
  double combine_bytes = 2.0;   ///< per element on the way back
  double imbalance = 1.0;       ///< load of the busiest rank over the mean, at least 1
  /// A token goes once to each rank that has experts of it, as DeepEP sends; otherwise once for each expert.
  bool once_per_rank = true;
};

/// Ranks, or experts, that one token is sent to on average. Once per rank and uniform routing:
/// R (1 - (1 - 1/R)^k), the expected number of distinct ranks among k draws.
double copies_per_token(const ExpertExchange& exchange);

/// What one rank sends in dispatch and in combine, its own share included.
Bytes dispatch_size(const ExpertExchange& exchange);
Bytes combine_size(const ExpertExchange& exchange);

/// Times of both: an all-to-all in which the busiest rank is waited for. Zero for one rank. Throws as
/// fabric_time().
Seconds dispatch_time(const FabricPath& path, const ExpertExchange& exchange);
Seconds combine_time(const FabricPath& path, const ExpertExchange& exchange);

}  // namespace roofplan::model
