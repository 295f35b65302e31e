#pragma once

#include "model/fabric/domain_law.hpp"

namespace roofplan::model {

/// The all-reduce of inference engines for small messages: every rank reads the whole vector of every other
/// rank and adds for itself, one kernel instead of 2(n-1) ring steps (the one-shot kernel of TensorRT-LLM and
/// vLLM).
struct EngineAllReduceLaw {
  Seconds base, per_doubling;  ///< launch and barrier: one rank, and each doubling of the ranks
  Seconds ramp;                ///< extra once a message is well above 8 KiB
  BytesPerSecond rate;         ///< at which a rank reads from the others
  /// Largest message for two ranks; above, the engine calls the library. Zero where the engine never uses it.
  Bytes limit;
  /// The limit falls as (2 / ranks)^limit_falls: 0 the same for any number of ranks, 1 the same work per
  /// rank.
  double limit_falls = 1.0;

  bool operator==(const EngineAllReduceLaw&) const = default;
};

/// Largest message that the engine reduces itself.
Bytes engine_limit(const EngineAllReduceLaw& law, int ranks);

/// Time of an all-reduce as an engine does it: by itself up to the limit, by the library above.
Seconds engine_all_reduce_time(const EngineAllReduceLaw& engine, const DomainLaw& library,
                               const Message& message);

}  // namespace roofplan::model
