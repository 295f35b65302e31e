#include "model/catalog/site_catalog.hpp"

#include <catch2/catch.hpp>

using namespace roofplan::model;

TEST_CASE("the shipped Korean tariffs give the worked yearly means", "[catalog]") {
  const SiteCatalog sites{DataFiles{}};
  // Energy and demand / 730 h, worked by hand from the official table.
  CHECK(mean_energy_price(sites.tariff("kr-industrial-eul-hv-a-ii")).amount() ==
        Approx(141.396).margin(5e-4));
  CHECK(mean_energy_price(sites.tariff("kr-general-eul-hv-a-ii")).amount() == Approx(117.989).margin(5e-4));
  CHECK(mean_energy_price(sites.tariff("kr-industrial-eul-hv-b-iii")).amount() ==
        Approx(150.941).margin(5e-4));
  CHECK(mean_energy_price(sites.tariff("kr-general-gap-low-voltage")).amount() ==
        Approx(111.058).margin(5e-4));
  CHECK(sites.tariff("kr-industrial-eul-hv-b-iii").demand_per_kw_month / 730 == Approx(11.219).margin(5e-4));
}

TEST_CASE("130 kW in Korea cost 174,001,114 won a year on the shipped industrial tariff", "[catalog]") {
  const SiteCatalog sites{DataFiles{}};
  CHECK(yearly_bill(sites.tariff("kr-industrial-eul-hv-a-ii"), 130 * unit::kW).amount() ==
        Approx(174'001'114).margin(1));
}

TEST_CASE("circuits are found by id and country, and a wrong id names the nearest", "[catalog]") {
  const SiteCatalog sites{DataFiles{}};
  CHECK(sites.circuit("kr-220v-16a").usable() / unit::W == Approx(2816));
  CHECK(sites.circuits_of("KR").size() == 2);
  CHECK_THROWS_WITH(sites.circuit("kr-220v-15a"), Catch::Contains("did you mean kr-220v-16a"));
  CHECK_THROWS_AS(sites.tariff_of_country("XX"), InputError);
  CHECK(sites.tariff_of_country("US").currency.code() == "USD");
}

TEST_CASE("a load that no contract of a country covers is refused with the largest contract and its source",
          "[catalog]") {
  DataFiles files;
  files.lay_over("sites/tariffs.json", R"({"tariffs": [
    {"id": "small", "name": "Small", "country": "KR", "currency": "KRW", "effective": "2026-06-01",
     "source": "kepco-table-2026-06", "kind": "price", "contract_max_kw": 300, "demand_per_kw_month": 0,
     "seasons": [{"name": "year", "months": 12, "flat": 100}]}]})",
                 "tariffs.json");
  const SiteCatalog sites(files);
  CHECK(sites.tariff_of_country("KR", 299.0 * unit::kW).id == "small");
  CHECK_THROWS_WITH(sites.tariff_of_country("KR", 300.0 * unit::kW),
                    Catch::Contains("300.0 kW") && Catch::Contains("small") &&
                        Catch::Contains("below 300 kW") && Catch::Contains("kepco-table-2026-06") &&
                        Catch::Contains("--tariff"));
}
