#pragma once

#include "model/cost/money.hpp"
#include "model/units/quantity.hpp"

#include <optional>
#include <span>

namespace roofplan::model {

/// Capital recovery factor r / (1 - (1 + r)^-n): the yearly payment that pays back one unit over `years` at
/// `rate` a year (engineering economics, standard). years > 0; rate >= 0; 1 / years at rate 0.
double capital_recovery_factor(double rate, double years);

/// Sum of flows[t] / (1 + rate)^t, t = 0 (today) upwards, in years.
double net_present_value(double rate, std::span<const double> flows);

/// What a million output tokens cost: hourly cost / (rate x 3600 x utilisation) x 1e6. utilisation in (0, 1].
Money cost_per_million_tokens(Money per_hour, TokensPerSecond rate, double utilisation);

/// Months after which owning has cost less than renting: capital / (rent - own cost), per month; nothing when
/// renting never costs more.
std::optional<double> break_even_months(Money capital, Money own_per_month, Money rent_per_month);

/// Share of the hours from which owning is cheaper than renting by the hour: yearly cost / (8760 x rent).
double break_even_utilisation(Money own_per_year, Money rent_per_hour);

}  // namespace roofplan::model
