#pragma once

#include "model/sizing/size.hpp"

#include <cstdint>
#include <vector>

namespace roofplan::model {

/// Load in a month after the purchase over that of today: (1 + growth)^month.
double load_factor(const Load& load, std::int64_t month);

/// Months that are planned for: those of the years, the last one begun.
std::int64_t planned_months(const MoneySettings& money);

/// Where the scenario's load grows, adds what the plan takes in every month of its years: in each month the
/// fewest groups of which none has more than the most requests (at a rate: the highest rate) that one serves
/// within the targets, and their spares. The load steps up once a month. Errors as least_groups().
void add_stages(const Scenario& scenario, const SpeedData& data, const ModelFile& model, SizePlan& plan,
                SizeEvaluations& evaluations);

/// What one stage of a growing purchase costs by itself, had it stood from the beginning.
struct StageCost {
  std::int64_t month = 0;  ///< from which on it stands
  CostOption cost;
};

/// The cost of all stages one after the other: the first is bought at once, each later one pays the capital
/// that it has more in its month, and every month pays the running cost of its stage. Resale is a share of
/// all capital. Tokens grow with the load. Not empty.
CostOption joined_cost(const std::vector<StageCost>& stages, const Scenario& scenario,
                       const std::optional<TokensPerSecond>& output);

}  // namespace roofplan::model
