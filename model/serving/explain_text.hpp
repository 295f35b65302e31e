#pragma once

#include "model/hardware/figure.hpp"
#include "model/units/derivation.hpp"
#include "model/units/quantity.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>

namespace roofplan::model {

// Inputs of derivations as text.

/// Four significant digits.
inline std::string short_text(double number) {
  return fmt::format("{:.4g}", number);
}

/// A number that follows from what was asked or from a result above.
inline Derivation::Input follows(std::string name, std::string value) {
  return {std::move(name), std::move(value), {}};
}

/// A figure of the data as its file writes it, with its source; "unknown" beside its reason.
template <class T>
Derivation::Input stated(std::string name, const Figure<T>& figure) {
  if (!figure.known()) return {std::move(name), "unknown: " + figure.unknown_reason, {}};
  const bool bare = figure.unit.empty() || figure.unit == "fraction" || figure.unit == "count";
  return {std::move(name), short_text(figure.shown) + (bare ? "" : " " + figure.unit),
          figure.provenance.source};
}

}  // namespace roofplan::model
