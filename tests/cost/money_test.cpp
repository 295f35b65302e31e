#include "model/cost/money.hpp"

#include <catch2/catch.hpp>

#include <stdexcept>

using namespace roofplan::model;

namespace {
const Currency kUsd("USD"), kKrw("KRW"), kEur("EUR");
}

TEST_CASE("amounts of two currencies do not add without a rate", "[cost]") {
  CHECK_THROWS_AS(Money(1, kUsd) + Money(1, kKrw), std::logic_error);
  CHECK((Money(1, kUsd) + Money(2, kUsd)).amount() == 3);
}

TEST_CASE("a dated rate works both ways and never over a third currency", "[cost]") {
  const std::vector<ExchangeRate> rates{{kUsd, kKrw, 1473.6, "2026-01-15", "x"}};
  CHECK(exchange(Money(2, kUsd), kKrw, rates).amount() == Approx(2947.2));
  CHECK(exchange(Money(1473.6, kKrw), kUsd, rates).amount() == Approx(1));
  CHECK_THROWS_WITH(exchange(Money(1, kUsd), kEur, rates), Catch::Contains("USD") && Catch::Contains("EUR"));
}

TEST_CASE("a currency is three capital letters", "[cost]") {
  CHECK_THROWS_AS(Currency("tokens"), InputError);
  CHECK_THROWS_AS(Currency("usd"), InputError);
}
