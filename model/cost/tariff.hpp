#pragma once

#include "model/cost/money.hpp"
#include "model/units/quantity.hpp"

#include <limits>
#include <string>
#include <vector>

namespace roofplan::model {

/// Prices of one season, per kWh.
struct TariffSeason {
  std::string name;
  int months = 0;  ///< in a year; all seasons together 12
  double light = 0, mid = 0, peak = 0;
};

/// Hours of a day in each price window; together 24.
struct TariffWindows {
  double light = 24, mid = 0, peak = 0;
};

/// An electricity tariff by time of use; a flat tariff has one window. Amounts without taxes and levies,
/// which the user adds (`levy_per_kwh`, `tax`).
struct Tariff {
  std::string id, name, country, effective;  ///< effective: ISO date
  std::string source;                        ///< id in data/sources.json
  std::string note;
  Currency currency;
  /// Loads that may have it: at least, and below.
  double contract_min_kw = 0, contract_max_kw = std::numeric_limits<double>::infinity();
  double demand_per_kw_month = 0;
  std::vector<TariffSeason> seasons;
  TariffWindows weekday, saturday, sunday;
  double levy_per_kwh = 0;  ///< climate, fuel adjustment and the like
  double tax = 0;           ///< share added to everything, 0.1 for 10 %

  bool covers(Watts load) const {
    return load >= contract_min_kw * unit::kW && load < contract_max_kw * unit::kW;
  }
};

/// Mean energy price per kWh of a load that is flat all year: windows weighted 5 : 1 : 1 by weekday, Saturday
/// and Sunday, seasons by months. Without demand charge, levies and tax.
Money mean_energy_price(const Tariff& tariff);

/// What a flat load costs in a year of 8,760 hours: energy, demand charge on that load, levies, tax.
Money yearly_bill(const Tariff& tariff, Watts load);

}  // namespace roofplan::model
