#pragma once

#include "model/catalog/model_reference.hpp"
#include "model/report/document.hpp"
#include "model/serving/speed.hpp"
#include "model/sizing/load_power.hpp"

#include <vector>

namespace roofplan::model::report {

/// Result of `speed`, as the verb prints it and `plan` includes it. Estimates carry their range.
Value speed_value(const SpeedRequest& request, const SpeedAnswer& answer, const LoadPower& power);

/// The part for people alone: the speeds, where a decode step's time goes, the scaling curve.
std::vector<Block> speed_blocks(const SpeedRequest& request, const SpeedAnswer& answer,
                                const LoadPower& power);

/// The answer for machines and people.
void describe_speed(Document& document, const SpeedRequest& request, const SpeedAnswer& answer,
                    const LoadPower& power, const ModelFile& model);

/// How these numbers come about, those of the power included.
Derivations speed_derivations(const SpeedRequest& request, const SpeedAnswer& answer, const LoadPower& power);

/// Adds power_w and joule_per_token with their ranges, or null and why.
void add_load_power(Value& object, const LoadPower& power);

}  // namespace roofplan::model::report
