#pragma once

#include "model/units/quantity.hpp"

#include <algorithm>
#include <cmath>

namespace roofplan::model {

/// (a^p + b^p)^(1/p) of two durations: their sum for p <= 1, the longer of the two for large p.
inline Seconds joined(Seconds a, Seconds b, double p) {
  if (p <= 1.0) return a + b;
  const double longer = std::max(a.base(), b.base()), shorter = std::min(a.base(), b.base());
  if (longer <= 0.0) return Seconds{};
  return longer * std::pow(1.0 + std::pow(shorter / longer, p), 1.0 / p) * unit::s;
}

}  // namespace roofplan::model
