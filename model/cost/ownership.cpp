#include "model/cost/ownership.hpp"

#include <cmath>

namespace roofplan::model {
namespace {
constexpr double kHoursPerYear = 8760.0;
}

double yearly_energy_kwh(const Ownership& own) {
  return own.it_power / unit::kW * own.load_factor * own.pue * kHoursPerYear;
}

YearlyCost yearly_cost(const Ownership& own) {
  YearlyCost out;
  out.depreciation = own.capital * ((1.0 - own.resale_share) / own.years);
  out.energy = own.energy_per_kwh * yearly_energy_kwh(own);
  out.support = own.capital * own.support_share;
  out.space = own.space_per_year;
  out.staff = own.staff_per_year;
  return out;
}

std::vector<double> cash_flows(const Ownership& own) {
  const auto years = static_cast<std::size_t>(std::ceil(own.years));
  std::vector<double> flows(years + 1, yearly_cost(own).running().amount());
  flows.front() = own.capital.amount();
  flows.back() -= own.capital.amount() * own.resale_share;
  return flows;
}

Money yearly_rent(Money per_accelerator_hour, double accelerators, double share_of_hours) {
  return per_accelerator_hour * (accelerators * kHoursPerYear * share_of_hours);
}

}  // namespace roofplan::model
