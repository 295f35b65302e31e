#pragma once

#include "model/hardware/figure.hpp"
#include "model/units/quantity.hpp"

#include <map>
#include <string>
#include <string_view>

namespace roofplan::model {

/// How often accelerators, with their share of the system around them, fail, and how long a repair takes.
/// data/reliability.json.
struct FailureRates {
  /// Failures per accelerator and second, by preset: "typical", "optimistic", "pessimistic", "early-life".
  std::map<std::string, Figure<PerSecond>, std::less<>> per_accelerator;
  Figure<Seconds> repair;  ///< mean time until a failed unit works again

  /// A rate and how far it may be off.
  struct Range {
    PerSecond mid, low, high;
  };

  /// The preset with its own range. For desktops no source states a rate: the preset within the lowest and
  /// the highest of all presets. Throws as preset().
  Range range(std::string_view name, bool desktop) const;

  /// Throws InputError (usage) with the nearest name.
  const Figure<PerSecond>& preset(std::string_view name) const;
};

}  // namespace roofplan::model
