#pragma once

#include "model/sizing/size.hpp"

namespace roofplan::model {

/// By how much something misses, "46 %".
std::string whole_percent(double share);

/// Adds power, racks and cost of a plan that serves the load, and holds it against the targets' slack and the
/// scenario's limits. Throws InputError as owned_cost().
void judge_plan(const Scenario& scenario, const SpeedData& data, SizePlan& plan);

}  // namespace roofplan::model
