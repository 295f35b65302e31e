#include "model/power/site.hpp"

#include "model/catalog/system_catalog.hpp"

#include <catch2/catch.hpp>

using namespace roofplan::model;

namespace {

const System& system_of(const char* id) {
  static const SystemCatalog catalog{DataFiles{}};
  return catalog.find(id);
}

SiteRequest request_for_gpus(std::int64_t gpus) {
  SiteRequest request;
  request.gpus = gpus;
  return request;
}

SiteRequest request_for(std::int64_t count) {
  SiteRequest request;
  request.count = count;
  return request;
}

}  // namespace

TEST_CASE("a hundred B300 are 13 systems with 4 over, and 12 would be 4 short (seed A2)", "[power]") {
  const SiteAnswer a = plan_site(system_of("dgx-b300"), request_for_gpus(100));
  CHECK(a.count == 13);
  CHECK(a.gpus == 104);
  CHECK(a.gpus_over == 4);
  CHECK(a.gpus_short_less == 4);
}

TEST_CASE("13 DGX B300 draw 182 kW typical, and the other parts stand beside it (seed A3)", "[power]") {
  const SiteAnswer a = plan_site(system_of("dgx-b300"), request_for(13));
  CHECK(a.it.compute / unit::kW == Approx(182));
  REQUIRE(a.compute_design);
  REQUIRE(a.compute_peak);
  CHECK(*a.compute_design / unit::kW == Approx(188.5));
  CHECK(*a.compute_peak / unit::kW == Approx(247));
  // 5 % beside compute, of which storage and management take 1 % each.
  CHECK(a.it.network / unit::kW == Approx(0.03 * 182));
  CHECK(a.it.storage / unit::kW == Approx(0.01 * 182));
  CHECK(a.it.management / unit::kW == Approx(0.01 * 182));
  // Air-cooled: a PUE of 1.3 over all of it.
  CHECK(a.cooling / unit::kW == Approx(0.3 * 1.05 * 182));
}

TEST_CASE("storage and management take half each of what the network leaves of 5 %, at least 1 %",
          "[power]") {
  SiteRequest request = request_for(10);
  request.network = 3 * unit::kW;
  const SiteAnswer some = plan_site(system_of("dgx-b300"), request);
  CHECK(some.it.storage / unit::kW == Approx((0.05 * 140 - 3) / 2));
  request.network = 30 * unit::kW;
  const SiteAnswer much = plan_site(system_of("dgx-b300"), request);
  CHECK(much.it.management / unit::kW == Approx(1.4));
}

TEST_CASE("a GB300 NVL72 is 132, 142 and 155 kW on eight shelves of which N+N leaves 132 (seed A4)",
          "[power]") {
  const SiteAnswer a = plan_site(system_of("gb300-nvl72"), request_for(1));
  CHECK(a.it.compute / unit::kW == Approx(132));
  CHECK(*a.compute_design / unit::kW == Approx(142));
  CHECK(*a.compute_peak / unit::kW == Approx(155));
  REQUIRE(a.shelves);
  CHECK(a.shelves->count == 8);
  CHECK(a.shelves->rating / unit::kW == Approx(33));
  CHECK(a.shelves->installed / unit::kW == Approx(264));
  CHECK(a.shelves->usable / unit::kW == Approx(132));
  CHECK_FALSE(a.shelves->covers_design);
  CHECK_FALSE(a.warnings.empty());
}

TEST_CASE("the heat of an NVL72 splits 0.875 to liquid, and warmer coolant must flow faster", "[power]") {
  SiteRequest request = request_for(1);
  const SiteAnswer cool = plan_site(system_of("gb300-nvl72"), request);
  CHECK(cool.liquid / unit::kW == Approx(132 * 0.875));
  CHECK((cool.liquid + cool.air) / unit::kW == Approx(132));
  request.coolant_supply_c = 40;
  const SiteAnswer warm = plan_site(system_of("gb300-nvl72"), request);
  CHECK(*warm.coolant / *cool.coolant == Approx((55.0 - 25) / (55 - 40)));
  CHECK(*cool.coolant / unit::L_min == Approx(14.5 * 115.5 / 30));
  request.coolant_supply_c = 55;
  CHECK_THROWS_AS(plan_site(system_of("gb300-nvl72"), request), InputError);
}

TEST_CASE("a 40 kW rack takes two systems of 14.5 kW and strands 11 kW", "[power]") {
  SiteRequest request = request_for(16);
  request.rack_power = 40 * unit::kW;
  const SiteAnswer a = plan_site(system_of("dgx-b300"), request);
  REQUIRE(a.racks);
  CHECK(a.racks->systems_per_rack == 2);
  CHECK(a.racks->racks == 8);
  CHECK(*a.racks->stranded_per_rack / unit::kW == Approx(11));
}

TEST_CASE("a rack is never closed on units alone where its power limit is lower (field report C6)",
          "[power]") {
  SiteRequest request = request_for(10);
  request.rack_power = 10 * unit::kW;
  const SiteAnswer a = plan_site(system_of("dgx-b300"), request);
  CHECK_FALSE(a.racks.has_value());
  CHECK_FALSE(a.warnings.empty());
}

TEST_CASE("an office outlet bears eleven GB10 boxes, and two need one circuit (seed B13)", "[power]") {
  SiteRequest request = request_for(2);
  Circuit outlet;
  outlet.volts = 220;
  outlet.amperes = 16;
  outlet.continuous_share = 0.8;
  request.circuits = {outlet};
  const SiteAnswer a = plan_site(system_of("gb10"), request);
  REQUIRE(a.circuits.size() == 1);
  CHECK(a.circuits[0].nameplate / unit::W == Approx(240));
  CHECK(a.circuits[0].systems_per_circuit == 11);
  CHECK(a.circuits[0].circuits == 1);
  CHECK(a.it.network / unit::W == 0);
}

TEST_CASE("a kilowatt of IT at a PUE of 1.5 uses 13,140 kWh a year (field reports C5, C9)", "[power]") {
  SiteRequest request = request_for(1);
  request.pue = 1.5;
  request.network = request.storage = request.management = Watts{};
  const SiteAnswer a = plan_site(system_of("dgx-b300"), request);
  CHECK(a.energy_kwh_year == Approx(14 * 1.5 * 8760));
}

TEST_CASE("nonsense is refused with the reason", "[power]") {
  SiteRequest request;
  CHECK_THROWS_AS(plan_site(system_of("gb10"), request), InputError);
  CHECK_THROWS_AS(plan_site(system_of("gb10"), request_for(0)), InputError);
  request = request_for(1);
  request.pue = 0.5;
  CHECK_THROWS_WITH(plan_site(system_of("gb10"), request), Catch::Contains("PUE"));
}
