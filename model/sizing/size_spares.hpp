#pragma once

#include "model/reliability/availability.hpp"
#include "model/sizing/size.hpp"

namespace roofplan::model {

/// The service that a plan's groups make. What one failure takes away is the part that is pulled for repair:
/// a tray of a rack, else the whole system; a replica that spans several needs them all. `failures` of one
/// accelerator, repairs by the scenario's time.
RedundantService service_of(const Scenario& scenario, const SpeedData& data, const SizePlan& plan,
                            PerSecond failures);

/// Failures of one accelerator of the plan's systems, by the scenario's preset.
FailureRates::Range failures_of(const Scenario& scenario, const SpeedData& data, const SizePlan& plan);

/// The fewest spare groups that reach the scenario's target of availability; 0 without a target. For
/// desktops, whose rate nobody states, at the highest rate.
std::int64_t spare_groups(const Scenario& scenario, const SpeedData& data, const SizePlan& plan);

/// Spare accelerators beside `gpus` rented ones, in replicas of `replica` accelerators, that reach the
/// scenario's target of availability; 0 without a target, nothing where no number does. `unit` accelerators
/// are rented, and fail, together. All >= 1.
std::optional<std::int64_t> rented_spares(const Scenario& scenario, const SpeedData& data,
                                          const SizePlan& plan, std::int64_t gpus, std::int64_t replica,
                                          std::int64_t unit);

/// States how much of the time enough systems work, and where the scenario has a target for that, adds the
/// fewest spare groups that reach it. Spares hold the model and take over at once; meanwhile they draw idle
/// power. Throws InputError (usage) for a target of 1.
void add_spares(const Scenario& scenario, const SpeedData& data, SizePlan& plan);

/// The rates and repairs that spares rest on, and what they do not cover.
Text failure_assumptions(const Scenario& scenario, const SpeedData& data);

/// That no rate of desktops is known, and between which the answer goes.
Text desktop_assumptions(const Scenario& scenario, const SpeedData& data);

}  // namespace roofplan::model
