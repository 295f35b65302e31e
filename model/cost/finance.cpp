#include "model/cost/finance.hpp"

#include <cmath>

namespace roofplan::model {

double capital_recovery_factor(double rate, double years) {
  // expm1 keeps small rates exact; the quotient tends to 1 / years.
  return rate == 0.0 ? 1.0 / years : rate / -std::expm1(-years * std::log1p(rate));
}

double net_present_value(double rate, std::span<const double> flows) {
  double sum = 0.0, factor = 1.0;
  for (const double flow : flows) {
    sum += flow * factor;
    factor /= 1.0 + rate;
  }
  return sum;
}

Money cost_per_million_tokens(Money per_hour, TokensPerSecond rate, double utilisation) {
  const double tokens_per_hour = rate * unit::hour / unit::token * utilisation;
  return per_hour * (1e6 / tokens_per_hour);
}

std::optional<double> break_even_months(Money capital, Money own_per_month, Money rent_per_month) {
  if (!(own_per_month < rent_per_month)) return std::nullopt;
  return capital / (rent_per_month - own_per_month);
}

double break_even_utilisation(Money own_per_year, Money rent_per_hour) {
  constexpr double kHoursPerYear = 8760.0;
  return own_per_year / (rent_per_hour * kHoursPerYear);
}

}  // namespace roofplan::model
