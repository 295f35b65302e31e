#pragma once

#include "model/units/quantity.hpp"

#include <cstdint>
#include <string>

namespace roofplan::model {

/// A feed: a wall outlet's circuit or a rack feed.
struct Circuit {
  std::string id, name, country;
  double volts = 0;    ///< between line and neutral for one phase, between lines for three
  double amperes = 0;  ///< of the breaker
  int phases = 1;      ///< 1 or 3
  double continuous_share =
      1;               ///< of the breaker's rating that a load of hours may take, e.g. 0.8 (NEC 210.19)
  std::string source;  ///< id in data/sources.json
  std::string note;

  /// volts x amperes x sqrt(3 if three-phase) x continuous share.
  Watts usable() const;
};

/// How many devices of this nameplate power one circuit bears; nameplate > 0.
std::int64_t devices_per_circuit(const Circuit& circuit, Watts nameplate);

/// How a group of equal power supplies or shelves is kept up when some fail.
enum class Redundancy { n, n_plus_1, n_plus_n };

/// What `count` units of `unit_power` still deliver when the spare ones are gone: N all, N+1 all but one,
/// N+N half of them (rounded down).
Watts usable_power(std::int64_t count, Watts unit_power, Redundancy redundancy);

}  // namespace roofplan::model
