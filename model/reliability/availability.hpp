#pragma once

#include "model/units/quantity.hpp"

#include <cstdint>
#include <optional>

namespace roofplan::model {

/// Share of time that a part with failures at `rate` and a mean `repair` works: 1 / (1 + rate x repair), the
/// steady state of an alternating renewal process (Barlow, Proschan, Mathematical Theory of Reliability,
/// chapter 3). rate and repair >= 0.
double availability(PerSecond rate, Seconds repair);

/// Probability that at least `needed` of `parts` alike and independent ones work, each with `each` in [0, 1]:
/// the sum over i >= needed of C(parts, i) each^i (1 - each)^(parts - i). 1 where none is needed, 0 where
/// more are needed than there are.
double at_least(std::int64_t needed, std::int64_t parts, double each);

/// A service that needs `groups` groups, each of `blocks` blocks, to be up at once. A block is what one
/// failure takes away; `block` is the share of time that it works.
struct RedundantService {
  std::int64_t groups = 1, blocks = 1;
  double block = 1;

  /// Probability that as many blocks as `groups` groups hold work, with `spares` more groups beside them that
  /// take over at once.
  double with_spares(std::int64_t spares) const;
};

/// The least number of spare groups at which the service is up for `target` of the time, in [0, 1); nothing
/// where kMostSpares do not reach it.
std::optional<std::int64_t> least_spares(const RedundantService& service, double target);

inline constexpr std::int64_t kMostSpares = 4096;

}  // namespace roofplan::model
