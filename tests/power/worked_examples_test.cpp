#include "model/catalog/catalog.hpp"
#include "model/power/circuit.hpp"
#include "model/power/cooling.hpp"
#include "model/power/site.hpp"

#include <catch2/catch.hpp>

using namespace roofplan::model;

namespace {

const Catalog& catalog() {
  static const Catalog kShipped;
  return kShipped;
}

}  // namespace

TEST_CASE("4 kW with a rise of 20 F need 632 CFM by the density of air, as the rule of 1.08 says",
          "[power]") {
  // 3.412142 x 4,000 / (1.08 x 20) = 631.9; the rule of 1.085, for thinner air, says 628.9.
  CHECK(airflow_cfm(4 * unit::kW, 20 / 1.8) == Approx(631.9).epsilon(2e-3));
}

TEST_CASE("a rack of 132 kW needs 190 L/min of water at 10 K and 199.5 of PG25", "[power]") {
  CHECK(coolant_flow(132 * unit::kW, 10, Coolant{}) / unit::L_min == Approx(190.04).epsilon(1e-4));
  CHECK(coolant_flow(132 * unit::kW, 10, Coolant{1.018, 3.90}) / unit::L_min == Approx(199.49).epsilon(1e-4));
}

TEST_CASE("eight racks of 40 kW bear 16 systems of 14.5 kW where a pool of their power would bear 22",
          "[power]") {
  const System& system = catalog().systems().find("dgx-b300");
  REQUIRE(*system.power_design / unit::kW == Approx(14.5));
  SiteRequest request;
  request.count = 16;
  request.rack_power = 40.0 * unit::kW;
  const SiteAnswer answer = plan_site(system, request);
  REQUIRE(answer.racks);
  CHECK(answer.racks->racks == 8);
  CHECK(*answer.racks->stranded_per_rack / unit::kW == Approx(11));
  // What the eight strand holds six more.
  CHECK(static_cast<int>(8 * (*answer.racks->stranded_per_rack / *system.power_design)) == 6);
}

TEST_CASE("boxes of 240 W: six, eight, eleven and fourteen on the usual office circuits", "[power]") {
  const auto bears = [](const char* circuit) {
    return devices_per_circuit(catalog().sites().circuit(circuit), 240.0 * unit::W);
  };
  CHECK(bears("us-120v-15a") == 6);
  CHECK(bears("us-120v-20a") == 8);
  CHECK(bears("kr-220v-16a") == 11);
  CHECK(bears("kr-220v-20a") == 14);
}

TEST_CASE("13 DGX B300 are 182, 188.5 and 247 kW of compute, each other part above zero (seed A3)",
          "[power]") {
  SiteRequest request;
  request.gpus = 100;
  const SiteAnswer answer = plan_site(catalog().systems().find("dgx-b300"), request);
  CHECK(answer.count == 13);
  CHECK(answer.gpus_over == 4);
  CHECK(answer.gpus_short_less == 4);
  CHECK(answer.it.compute / unit::kW == Approx(182));
  CHECK(*answer.compute_design / unit::kW == Approx(188.5));
  CHECK(*answer.compute_peak / unit::kW == Approx(247));
  for (const Watts part : {answer.it.network, answer.it.storage, answer.it.management, answer.cooling})
    CHECK(part > Watts());
}
