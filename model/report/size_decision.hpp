#pragma once

#include "model/catalog/scenario.hpp"
#include "model/report/table.hpp"
#include "model/report/value.hpp"
#include "model/sizing/size.hpp"

namespace roofplan::model::report {

/// Whether what serves the load is cheaper to rent over the years than to buy as the first plan says.
bool rent_is_cheaper(const SizeAnswer& answer);

/// The decision in a sentence: what to buy, or to rent where that is cheaper.
Text decision_text(const SizeAnswer& answer, const Scenario& scenario);

/// The sentence behind it: what the other way costs and when buying pays.
Text other_way_text(const SizeAnswer& answer, const Scenario& scenario);

/// "2 x gb10", and how many it becomes: "2 x gb10 > 9".
Text plan_name(const SizePlan& plan);

/// The accelerators and the offer: "8 accelerators (H200 SXM, on demand)".
Text rent_text(const RentedPlan& rented);

/// What is added in which month, of the first plan; without rows where nothing is.
Table additions_table(const SizeAnswer& answer, const Scenario& scenario);

/// The stages after the first, as a list.
Value additions_value(const SizePlan& plan, const Load& load, std::int64_t accelerators);

/// Why nothing is rented: data stays, the rent is over the budget, or nobody offers it.
Text no_rent(const SizeAnswer& answer, const Scenario& scenario);

/// What renting costs, or null and why.
Value rented_value(const SizeAnswer& answer, const Scenario& scenario);

}  // namespace roofplan::model::report
