#include "model/cost/tariff.hpp"

#include <catch2/catch.hpp>

using namespace roofplan::model;

namespace {

Tariff industrial_hv_a_2() {
  Tariff t;
  t.currency = Currency("KRW");
  t.demand_per_kw_month = 8320;
  t.seasons = {{"summer", 3, 116.0, 163.8, 229.0},
               {"spring and autumn", 5, 116.0, 133.4, 150.9},
               {"winter", 4, 123.0, 164.0, 204.6}};
  t.weekday = {10, 8, 6};
  t.saturday = {10, 14, 0};
  t.sunday = {24, 0, 0};
  return t;
}

}  // namespace

TEST_CASE("a flat load on the Korean industrial tariff pays 141.396 won of energy a kWh", "[cost]") {
  CHECK(mean_energy_price(industrial_hv_a_2()).amount() == Approx(141.396).margin(0.0005));
}

TEST_CASE("130 kW all year cost 174,001,114 won on that tariff", "[cost]") {
  CHECK(yearly_bill(industrial_hv_a_2(), 130 * unit::kW).amount() == Approx(174'001'114).margin(1));
}

TEST_CASE("levies and tax come on top", "[cost]") {
  Tariff flat;
  flat.seasons = {{"year", 12, 100, 0, 0}};
  flat.levy_per_kwh = 10;
  flat.tax = 0.1;
  CHECK(yearly_bill(flat, 1 * unit::kW).amount() == Approx(8760 * 110 * 1.1));
}
