#pragma once

#include "model/cost/money.hpp"
#include "model/units/quantity.hpp"

#include <vector>

namespace roofplan::model {

/// What owning equipment rests on. All amounts in one currency.
struct Ownership {
  Money capital;             ///< equipment, network, racks and installation, paid today
  double years = 4;          ///< planned life, > 0
  double resale_share = 0;   ///< of the capital that comes back at the end, 0..1
  Watts it_power;            ///< at full load, before PUE
  double load_factor = 1;    ///< mean IT power / it_power, 0..1
  double pue = 1;            ///< >= 1
  Money energy_per_kwh;      ///< all in, demand charge included
  double support_share = 0;  ///< of the capital a year: support, spares, operations
  Money space_per_year, staff_per_year;
};

/// One year of owning, by part. Depreciation is straight over the life, resale taken off.
struct YearlyCost {
  Money depreciation, energy, support, space, staff;
  Money total() const { return depreciation + energy + support + space + staff; }
  /// What is paid out in the year: all but depreciation.
  Money running() const { return energy + support + space + staff; }
  YearlyCost operator*(double years) const {
    return {depreciation * years, energy * years, support * years, space * years, staff * years};
  }
  YearlyCost& operator+=(const YearlyCost& b) {
    return *this = {depreciation + b.depreciation, energy + b.energy, support + b.support, space + b.space,
                    staff + b.staff};
  }
};

/// capital x (1 - resale) / years + kW x load factor x PUE x 8760 h x price + support + space + staff.
YearlyCost yearly_cost(const Ownership& own);

/// kWh a year that the facility draws for it.
double yearly_energy_kwh(const Ownership& own);

/// Cash flows by year, costs positive: capital at 0, running costs 1..years, resale taken off the last. A
/// life of part of a year is rounded up.
std::vector<double> cash_flows(const Ownership& own);

/// Renting the same accelerators by the hour: rate x accelerators x 8760 x share of the hours. share in
/// 0..1.
Money yearly_rent(Money per_accelerator_hour, double accelerators, double share_of_hours);

}  // namespace roofplan::model
