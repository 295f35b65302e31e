#include "model/cost/tariff.hpp"

namespace roofplan::model {
namespace {

double day_price(const TariffSeason& season, const TariffWindows& windows) {
  return (windows.light * season.light + windows.mid * season.mid + windows.peak * season.peak) / 24.0;
}

}  // namespace

Money mean_energy_price(const Tariff& tariff) {
  double sum = 0.0;
  for (const TariffSeason& season : tariff.seasons) {
    const double week = 5.0 * day_price(season, tariff.weekday) + day_price(season, tariff.saturday) +
                        day_price(season, tariff.sunday);
    sum += season.months / 12.0 * week / 7.0;
  }
  return {sum, tariff.currency};
}

Money yearly_bill(const Tariff& tariff, Watts load) {
  constexpr double kHoursPerYear = 8760.0;
  const double kw = load / unit::kW;
  const double energy = kw * kHoursPerYear * (mean_energy_price(tariff).amount() + tariff.levy_per_kwh);
  const double demand = kw * 12.0 * tariff.demand_per_kw_month;
  return {(energy + demand) * (1.0 + tariff.tax), tariff.currency};
}

}  // namespace roofplan::model
