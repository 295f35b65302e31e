#include "model/cost/finance.hpp"

#include <catch2/catch.hpp>

#include <array>

using namespace roofplan::model;

namespace {
const Currency kUsd("USD");
Money usd(double amount) {
  return {amount, kUsd};
}
}  // namespace

TEST_CASE("450,000 over four years at 8 % is 135,864.36 a year", "[cost]") {
  CHECK(capital_recovery_factor(0.08, 4) == Approx(0.3019208).epsilon(1e-6));
  CHECK(capital_recovery_factor(0.08, 5) == Approx(0.2504565).epsilon(1e-6));
  CHECK(450'000 * capital_recovery_factor(0.08, 4) == Approx(135'864.36).epsilon(1e-7));
}

TEST_CASE("without interest the recovery factor is one over the years", "[cost]") {
  CHECK(capital_recovery_factor(0, 4) == 0.25);
  CHECK(capital_recovery_factor(1e-9, 4) == Approx(0.25).epsilon(1e-6));
}

TEST_CASE("the present value of four yearly incomes discounts each by its year", "[cost]") {
  CHECK(net_present_value(0.08, std::array{-450e3, 160e3, 160e3, 160e3, 160e3}) ==
        Approx(79'940.29).epsilon(1e-6));
  CHECK(net_present_value(0.08, std::array{-450e3, 160e3, 160e3, 160e3, 180e3}) ==
        Approx(94'640.89).epsilon(1e-6));
}

TEST_CASE("a million tokens at 4 dollars an hour and 2,500 tok/s cost 44 cents (field report C2)", "[cost]") {
  CHECK(cost_per_million_tokens(usd(4), 2500 * unit::tok_s, 1.0).amount() == Approx(0.444444).epsilon(1e-5));
  CHECK(cost_per_million_tokens(usd(150'026.466 / 8760), 30'000 * unit::tok_s, 0.6).amount() ==
        Approx(0.264295).epsilon(1e-5));
}

TEST_CASE("eight rented GPUs at 6 dollars pay a node of 450,000 back in 25.1 months", "[cost]") {
  const auto months = break_even_months(usd(450e3), usd(3127.2055), usd(6 * 8 * 730 * 0.6));
  REQUIRE(months);
  CHECK(*months == Approx(25.1442).epsilon(1e-5));
  CHECK_FALSE(break_even_months(usd(1), usd(10), usd(9)).has_value());
}

TEST_CASE("at 4 dollars a GPU-hour owning pays from 54 % of the hours", "[cost]") {
  CHECK(break_even_utilisation(usd(150'026.466), usd(8 * 4)) == Approx(0.535197).epsilon(1e-5));
}
