#include "model/cost/ownership.hpp"

#include "model/cost/finance.hpp"

#include <catch2/catch.hpp>

using namespace roofplan::model;

namespace {

const Currency kUsd("USD");
Money usd(double amount) {
  return {amount, kUsd};
}

/// Eight GPUs for 450,000 dollars over four years, 14.5 kW at 70 % load, PUE 1.3, 0.13 $/kWh, 5 % support.
Ownership node() {
  Ownership own;
  own.capital = usd(450e3);
  own.it_power = 14.5 * unit::kW;
  own.load_factor = 0.7;
  own.pue = 1.3;
  own.energy_per_kwh = usd(0.13);
  own.support_share = 0.05;
  return own;
}

}  // namespace

TEST_CASE("a node of 450,000 dollars costs 150,026 a year, 15,026 of it energy", "[cost]") {
  const YearlyCost cost = yearly_cost(node());
  CHECK(yearly_energy_kwh(node()) == Approx(115'588.2).margin(0.1));
  CHECK(cost.energy.amount() == Approx(15'026.466).margin(0.001));
  CHECK(cost.total().amount() == Approx(150'026.466).margin(0.001));
}

TEST_CASE("that is 2.14 dollars an available GPU-hour and 3.57 at 60 % use", "[cost]") {
  const double per_hour = yearly_cost(node()).total().amount() / (8 * 8760);
  CHECK(per_hour == Approx(2.140789).epsilon(1e-6));
  CHECK(per_hour / 0.6 == Approx(3.567981).epsilon(1e-6));
}

TEST_CASE("resale lowers depreciation and the last year's flow, not the running cost", "[cost]") {
  Ownership own = node();
  own.resale_share = 0.2;
  CHECK(yearly_cost(own).depreciation.amount() == Approx(450e3 * 0.8 / 4));
  CHECK(yearly_cost(own).running() == yearly_cost(node()).running());
  const auto flows = cash_flows(own);
  REQUIRE(flows.size() == 5);
  CHECK(flows[0] == Approx(450e3));
  CHECK(flows[4] == Approx(flows[3] - 90e3));
}

TEST_CASE("renting eight GPUs at 6 dollars for 60 % of the hours is 252,288 a year", "[cost]") {
  CHECK(yearly_rent(usd(6), 8, 0.6).amount() == Approx(6 * 8 * 8760 * 0.6));
}
