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
