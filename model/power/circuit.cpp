#include "model/power/circuit.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace roofplan::model {

Watts Circuit::usable() const {
  const double factor = phases == 3 ? std::numbers::sqrt3 : 1.0;
  return volts * amperes * factor * continuous_share * unit::W;
}

std::int64_t devices_per_circuit(const Circuit& circuit, Watts nameplate) {
  return static_cast<std::int64_t>(std::floor(circuit.usable() / nameplate));
}

Watts usable_power(std::int64_t count, Watts unit_power, Redundancy redundancy) {
  std::int64_t left = count;
  if (redundancy == Redundancy::n_plus_1) left = std::max<std::int64_t>(count - 1, 0);
  if (redundancy == Redundancy::n_plus_n) left = count / 2;
  return static_cast<double>(left) * unit_power;
}

}  // namespace roofplan::model
