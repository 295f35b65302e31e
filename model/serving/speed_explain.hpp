#pragma once

#include "model/serving/speed.hpp"
#include "model/units/derivation.hpp"

namespace roofplan::model {

/// How the numbers of an answer come about: the steps (explain_steps), then what follows from them, and where
/// the low and high ends come from. Empty where nothing runs. The request must have asked for the breakdown.
Derivations explain_speed(const SpeedRequest& request, const SpeedAnswer& answer);

}  // namespace roofplan::model
