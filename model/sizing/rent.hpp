#pragma once

#include "model/sizing/size.hpp"

#include <optional>

namespace roofplan::model {

/// The scenario that one group of the plan answers: its systems, format, engine, pools and share of requests.
Scenario group_scenario(const Scenario& asked, const SizePlan& plan);

/// What `count` systems of the plan cost to buy, at its power and output.
CostRequest plan_cost_request(const Scenario& scenario, const SpeedData& data, const System& system,
                              const SizePlan& plan);

/// The cheapest way to rent what serves the load over the years, among the systems of the plans that meet the
/// targets, whatever limits of buying they break, and their dated offers on demand (the scenario's, where it
/// names one): all accelerators of the systems that work, or of a single one the fewest that do, since
/// accelerators are rented singly, with the spares that these need (rented_spares). A growing load rents more
/// with each stage of the plan. Nothing where data stays or nothing is offered. Errors as rented_cost().
std::optional<RentedPlan> cheapest_rent(const Scenario& asked, const std::vector<SizePlan>& plans,
                                        const SpeedData& data, const ModelFile& model);

}  // namespace roofplan::model
