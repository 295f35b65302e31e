#pragma once

#include "model/power/phase_power.hpp"
#include "model/serving/speed.hpp"
#include "model/units/text.hpp"

#include <cstdint>
#include <optional>

namespace roofplan::model {

/// What the systems of a deployment draw while they serve its load, at the wall, before PUE.
struct LoadPower {
  std::int64_t systems = 0;
  Watts mean, low, high;
  std::optional<double> joule_per_token, joule_low, joule_high;  ///< per output token of all replicas
  bool measured = false;  ///< by the request's measured energy: of the accelerators, without their hosts
  std::optional<Text> unknown;  ///< why there is no number
};

/// Systems that the accelerators of the request need, each whole.
std::int64_t systems_used(const FitRequest& request);

/// The speed's shares of time at the phases' power (system_power); accelerators beyond the plan are idle, but
/// their systems count. Where the request has a measured energy, the bytes and FLOP of both phases at that
/// energy instead. The joules' range joins that of the power to that of the speed.
LoadPower load_power(const SpeedRequest& request, const SpeedAnswer& answer, const PhasePower& phases);

}  // namespace roofplan::model
