#include "model/catalog/catalog.hpp"
#include "model/cost/finance.hpp"
#include "model/cost/tariff.hpp"

#include <catch2/catch.hpp>

using namespace roofplan::model;

namespace {

const SiteCatalog& sites() {
  static const Catalog shipped;
  return shipped.sites();
}

/// Demand charge of a kW over the hours of a month, won a kWh.
double demand_per_kwh(const Tariff& tariff) {
  return tariff.demand_per_kw_month / 730;
}

}  // namespace

TEST_CASE("the shipped Korean tariffs cost a flat load its worked price of energy and of demand", "[cost]") {
  struct Row {
    const char* id;
    double energy, demand;
  };
  // Energy weighted by 10, 8 and 6 hours of light, middle and peak load over 3, 5 and 4 months.
  for (const Row& row :
       {Row{"kr-industrial-eul-hv-a-ii", 141.396, 11.397}, Row{"kr-general-eul-hv-a-ii", 117.989, 11.397},
        Row{"kr-industrial-eul-hv-b-iii", 150.941, 11.219},
        Row{"kr-general-gap-low-voltage", 111.058, 8.438}}) {
    INFO(row.id);
    const Tariff& tariff = sites().tariff(row.id);
    CHECK(mean_energy_price(tariff).amount() == Approx(row.energy).margin(0.0005));
    CHECK(demand_per_kwh(tariff) == Approx(row.demand).margin(0.0005));
  }
}

TEST_CASE("130 kW all year on the shipped industrial tariff are 174,001,114 won", "[cost]") {
  CHECK(yearly_bill(sites().tariff("kr-industrial-eul-hv-a-ii"), 130 * unit::kW).amount() ==
        Approx(174'001'114).margin(1));
}

TEST_CASE("at 8 % four years recover 0.3019208 of the capital a year, five 0.2504565", "[cost]") {
  CHECK(capital_recovery_factor(0.08, 4) == Approx(0.3019208).margin(5e-8));
  CHECK(capital_recovery_factor(0.08, 5) == Approx(0.2504565).margin(5e-8));
}

TEST_CASE("owning a node of 150,026 a year pays from 71, 54 and 36 % of the hours at 3, 4 and 6 dollars",
          "[cost]") {
  const Currency usd("USD");
  const Money yearly(150'026.466, usd);
  for (const auto& [price, share] : {std::pair{3.0, 0.713596}, {4.0, 0.535197}, {6.0, 0.356798}})
    CHECK(break_even_utilisation(yearly, Money(8 * price, usd)) == Approx(share).margin(5e-7));
}

TEST_CASE("that node at 30,000 tokens a second and 60 % costs 0.264295 dollars a million", "[cost]") {
  const Money hourly(150'026.466 / 8760, Currency("USD"));
  CHECK(cost_per_million_tokens(hourly, 30'000.0 * unit::tok_s, 0.6).amount() ==
        Approx(0.264295).margin(5e-7));
}
