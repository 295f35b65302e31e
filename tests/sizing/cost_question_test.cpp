#include "model/sizing/cost_question.hpp"

#include "model/sizing/quotations.hpp"
#include "tests/serving/question.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>

using namespace roofplan::model;

namespace {

const SpeedData& data() {
  static const SpeedData shipped(shipped_catalog());
  return shipped;
}

CostRequest request_of(const Scenario& scenario, std::int64_t count) {
  CostRequest request;
  request.scenario = &scenario;
  request.data = &data();
  request.system = &shipped_catalog().systems().find(scenario.system.ref);
  request.count = count;
  return request;
}

Scenario scenario_of(const char* system, const char* currency = "USD") {
  Scenario scenario;
  scenario.system.ref = system;
  scenario.money.currency = currency;
  scenario.site.country = "US";
  return scenario;
}

}  // namespace

TEST_CASE("two GB10 cost twice the newest list price, 5 % support and the electricity of 190 W x 1.3",
          "[sizing]") {
  Scenario scenario = scenario_of("gb10");
  CostRequest request = request_of(scenario, 2);
  request.compute_power = 190.0 * unit::W;
  request.output = 50.0 * unit::tok_s;
  const CostOption own = owned_cost(request);
  REQUIRE(own.items.size() >= 1);
  CHECK(own.items[0].price == "dell-pro-max-gb10-4tb");
  CHECK(own.items[0].each.amount() == Approx(9007));
  CHECK(own.year.support.amount() == Approx(0.05 * own.capital.amount()));
  // 0.19 kW x 1.3 x 8,760 h x 0.13 $/kWh = 281.28; desktops have no storage or management of their own.
  CHECK(own.year.energy.amount() == Approx(281.28).epsilon(0.01));
  CHECK(own.total.amount() == Approx(own.capital.amount() + 4 * own.paid_per_year.amount()));
  REQUIRE(own.per_mtok);
  CHECK(own.per_mtok->amount() == Approx(own.total.amount() / (4 * 8760.0 * 3600 * 50) * 1e6));
}

TEST_CASE("four H100 cost 150 to 230 million won before the rest of the server (seed B10)", "[sizing]") {
  Scenario scenario = scenario_of("dgx-h100", "KRW");
  scenario.system.gpus = 4;
  const CostOption own = owned_cost(request_of(scenario, 1));
  CHECK(own.capital.amount() > 150e6);
  CHECK(own.capital.amount() < 230e6);
  CHECK_FALSE(own.unpriced.empty());
}

TEST_CASE("four rented H100 are dearer than two GB10 within the first year (seed B10)", "[sizing]") {
  Scenario boxes = scenario_of("gb10"), cloud = scenario_of("dgx-h100");
  cloud.system.gpus = 4;
  const CostOption own = owned_cost(request_of(boxes, 2));
  const auto rent = rented_cost(request_of(cloud, 1));
  REQUIRE(rent);
  const auto months = break_even_months(own, *rent);
  REQUIRE(months);
  CHECK(*months < 12);
  CHECK(rent->yearly.front() == rent->yearly.back());
}

TEST_CASE("data that may not leave rules the cloud out (seed B11)", "[sizing]") {
  Scenario scenario = scenario_of("dgx-h100");
  CHECK(rented_cost(request_of(scenario, 1)));
  scenario.limits.data_stays = true;
  CHECK_FALSE(rented_cost(request_of(scenario, 1)));
}

TEST_CASE("a currency without a dated rate is refused", "[sizing]") {
  Scenario scenario = scenario_of("gb10", "CHF");
  CHECK_THROWS_AS(owned_cost(request_of(scenario, 1)), InputError);
}

TEST_CASE("discounting by nothing leaves the sum, and half a year pays half", "[sizing]") {
  Scenario scenario = scenario_of("gb10");
  scenario.money.discount = 0;
  scenario.money.years = 2.5;
  const CostOption own = owned_cost(request_of(scenario, 1));
  REQUIRE(own.yearly.size() == 3);
  CHECK(own.yearly[2].amount() == Approx(own.yearly[0].amount() / 2));
  CHECK(own.present_value.amount() == Approx(own.total.amount()));
}

TEST_CASE("a system without price is unpriced and has no sum, never 0", "[sizing]") {
  Scenario scenario = scenario_of("rtx-5090");
  const CostOption own = owned_cost(request_of(scenario, 1));
  CHECK_FALSE(own.priced);
  CHECK_FALSE(own.unpriced.empty());
}

TEST_CASE("small loads in Korea take a contract below 300 kW, large ones above", "[sizing]") {
  const SiteCatalog& sites = shipped_catalog().sites();
  CHECK(sites.tariff_of_country("KR", 10.0 * unit::kW).contract_max_kw == 300);
  CHECK(sites.tariff_of_country("KR", 500.0 * unit::kW).contract_min_kw == 300);
}

TEST_CASE("a quotation goes before the catalogue's price, and a bad one is refused with its line",
          "[sizing]") {
  const std::string path = "quotation_test.csv";
  const auto write = [&](const char* text) { std::ofstream(path) << text; };
  Catalog catalog;
  write("item,amount,currency,date\ndgx-spark,5000,USD,2026-11-01\n");
  catalog.add_prices(read_quotations(path, catalog));
  const SpeedData quoted(catalog);
  Scenario scenario = scenario_of("gb10");
  CostRequest request = request_of(scenario, 1);
  request.data = &quoted;
  CHECK(owned_cost(request).items.at(0).each.amount() == Approx(5000));
  for (const char* bad :
       {"dgx-spork,5000,USD,2026-11-01", "gb10,-1,USD,2026-11-01", "gb10,5000 USD,USD,2026-11-01",
        "gb10,5000,dollars,2026-11-01", "gb10,5000,USD,lately"}) {
    INFO(bad);
    write((std::string("item,amount,currency,date\n") + bad + "\n").c_str());
    CHECK_THROWS_AS(read_quotations(path, catalog), InputError);
  }
  std::remove(path.c_str());
}

TEST_CASE("the price of a card leaves its host unpriced, a quotation of it does not", "[sizing]") {
  const auto host_is_missing = [](const CostOption& option) {
    return std::find(option.unpriced.begin(), option.unpriced.end(), kHostOfCards) != option.unpriced.end();
  };
  Scenario scenario = scenario_of("rtx-pro-6000");
  CHECK(host_is_missing(owned_cost(request_of(scenario, 1))));
  Catalog catalog;
  Price quotation;
  quotation.id = "quotation-rtx-pro-6000";
  quotation.system = "rtx-pro-6000";
  quotation.terms = "list";
  quotation.amount.value = 14000;
  quotation.amount.unit = "USD";
  quotation.amount.provenance = {"quotation", Provenance::Kind::price, "2026-11-01", ""};
  catalog.add_prices({quotation});
  const SpeedData quoted(catalog);
  CostRequest request = request_of(scenario, 1);
  request.data = &quoted;
  CHECK_FALSE(host_is_missing(owned_cost(request)));
}

TEST_CASE("boxes that are not linked need no cable, linked ones each their own", "[sizing]") {
  const Scenario scenario = scenario_of("gb10");
  const auto names_cable = [&](std::optional<std::int64_t> linked) {
    CostRequest request = request_of(scenario, 4);
    request.linked = linked;
    std::string all;
    const CostOption own = owned_cost(request);
    for (const std::string& part : own.unpriced) all += part + "; ";
    for (const CostItem& item : own.items) all += std::to_string(item.count) + " x " + item.item + "; ";
    return all;
  };
  CHECK(names_cable(1).find("cable") == std::string::npos);
  CHECK(names_cable(1).find("dac") == std::string::npos);
  // Two pairs, one cable each.
  CHECK(names_cable(2).find("2 x qsfp56") != std::string::npos);
}

TEST_CASE("cards stand in hosts at the stated price, four to one", "[sizing]") {
  Scenario scenario = scenario_of("rtx-pro-6000");
  scenario.money.host_price = 12'000;
  const CostOption own = owned_cost(request_of(scenario, 6));
  const auto host = std::find_if(own.items.begin(), own.items.end(),
                                 [](const CostItem& i) { return i.item == kHostOfCards; });
  REQUIRE(host != own.items.end());
  CHECK(host->count == 2);
  CHECK(std::count(own.unpriced.begin(), own.unpriced.end(), kHostOfCards) == 0);
}

TEST_CASE("room, people and installation are named as unpriced until they are stated", "[sizing]") {
  Scenario scenario = scenario_of("dgx-h100");
  const CostOption bare = owned_cost(request_of(scenario, 1));
  CHECK(std::count(bare.unpriced.begin(), bare.unpriced.end(), "room") == 1);
  scenario.money.installation = 20'000;
  scenario.money.room_per_year = 5'000;
  scenario.money.people_per_year = 60'000;
  const CostOption stated = owned_cost(request_of(scenario, 1));
  CHECK(stated.capital.amount() == Approx(bare.capital.amount() + 20'000));
  // Support is 5 % of the capital, installation included.
  CHECK(stated.paid_per_year.amount() == Approx(bare.paid_per_year.amount() + 65'000 + 0.05 * 20'000));
  for (const char* part : {"room", "people", "racks and installation"})
    CHECK(std::count(stated.unpriced.begin(), stated.unpriced.end(), part) == 0);
}

TEST_CASE("resale at the end comes off the total and off depreciation", "[sizing]") {
  Scenario scenario = scenario_of("gb10");
  scenario.money.discount = 0.08;
  const CostOption kept = owned_cost(request_of(scenario, 1));
  scenario.money.resale_share = 0.2;
  const CostOption sold = owned_cost(request_of(scenario, 1));
  CHECK(sold.total.amount() == Approx(kept.total.amount() - 0.2 * kept.capital.amount()));
  CHECK(sold.year.depreciation.amount() == Approx(0.8 * kept.capital.amount() / 4));
  CHECK(sold.present_value.amount() ==
        Approx(kept.present_value.amount() - 0.2 * kept.capital.amount() / std::pow(1.08, 4)));
}

TEST_CASE("a tariff whose contract does not cover the load is used as asked and said", "[sizing]") {
  Scenario scenario = scenario_of("dgx-h100", "KRW");
  scenario.site.pue = 1.0;
  const auto says = [&](std::int64_t count, const char* key) {
    CostRequest request = request_of(scenario, count);
    request.compute_power = static_cast<double>(count) * 10.0 * unit::kW;
    const auto warnings = owned_cost(request).warnings;
    return std::any_of(warnings.begin(), warnings.end(), [&](const Text& t) { return t.key == key; });
  };
  scenario.money.tariff = "kr-general-gap-low-voltage";  // below 300 kW
  CHECK_FALSE(says(1, "cost.contract_below"));
  CHECK(says(40, "cost.contract_below"));
  scenario.money.tariff = "kr-general-eul-hv-a-ii";  // from 300 kW
  CHECK(says(1, "cost.contract_from"));
  CHECK_FALSE(says(40, "cost.contract_from"));
}
