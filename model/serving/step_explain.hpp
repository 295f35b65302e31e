#pragma once

#include "model/serving/speed.hpp"
#include "model/units/derivation.hpp"

namespace roofplan::model {

/// How a decode step and the prefill of a prompt come about: their lines, which add up to `decode.step_s` and
/// `prefill.time_s`, the messages of the collectives, the engine's overheads, and what the times by rates and
/// by kernel laws are made from. Appended for an answer that fits and lists its operators.
void explain_steps(const SpeedRequest& request, const SpeedAnswer& answer, Derivations& out);

}  // namespace roofplan::model
