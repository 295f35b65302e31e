#include "model/power/power_cap.hpp"

#include "model/catalog/catalog.hpp"
#include "model/power/site.hpp"

#include <catch2/catch.hpp>

using namespace roofplan::model;

namespace {

const Catalog& catalog() {
  static const Catalog shipped;
  return shipped;
}

const PhasePower& phases() {
  return catalog().phase_power();
}

}  // namespace

TEST_CASE("half the board power leaves prefill cbrt(0.25 / 0.65) of its clock, and decode its bandwidth",
          "[power]") {
  const PhaseClocks clocks = clocks_under_cap(phases(), 0.5);
  CHECK(clocks.prefill.compute == Approx(0.7272).epsilon(1e-3));
  // cbrt(0.25 / 0.30) = 0.941 is above the knee of 0.92: an H100 decodes as fast under half its power
  // (Splitwise, ISCA 2024).
  CHECK(clocks.decode.compute == Approx(0.9410).epsilon(1e-3));
  CHECK(clocks.decode.memory == 1.0);
}

TEST_CASE("a cap above what a phase draws changes nothing", "[power]") {
  const PhaseClocks clocks = clocks_under_cap(phases(), 0.9);
  CHECK(clocks.prefill.compute == 1.0);
  CHECK(clocks.decode.compute == 1.0);
  CHECK(system_power(catalog().systems().find("dgx-h100"), phases(), {1, 0}, 1.0).mean ==
        system_power(catalog().systems().find("dgx-h100"), phases(), {1, 0}).mean);
}

TEST_CASE("a capped RTX PRO 6000 keeps the speed that was measured, within 8 %", "[power][validation]") {
  // Llama-2-7B Q4_0, llama.cpp, board power of 600 W (2025-09): prefill of 512 tokens and decode of 128.
  struct Point {
    double watts, prefill_tok_s, decode_tok_s;
  };
  const Point full{600, 16634, 278.95};
  for (const Point& p : {Point{500, 16496, 279.0}, Point{450, 16060, 279.04}, Point{400, 15225, 279.04},
                         Point{350, 14119, 274.81}, Point{300, 12802, 260.42}, Point{250, 10620, 236.88},
                         Point{200, 9115, 189.82}}) {
    const PhaseClocks clocks = clocks_under_cap(phases(), p.watts / full.watts);
    INFO(p.watts << " W");
    CHECK(clocks.prefill.compute == Approx(p.prefill_tok_s / full.prefill_tok_s).epsilon(0.08));
    CHECK(clocks.decode.memory == Approx(p.decode_tok_s / full.decode_tok_s).epsilon(0.08));
  }
}

TEST_CASE("a cap takes its share of the accelerators' TDP from design and peak power", "[power]") {
  const System& whole = catalog().systems().find("dgx-b300");
  const System capped = with_power_cap(whole, phases(), 0.7);
  const Watts saved = 0.3 * 8.0 * *whole.chip.tdp;
  CHECK(*capped.power_design / unit::W == Approx((*whole.power_design - saved) / unit::W));
  CHECK(*capped.power_peak / unit::W == Approx((*whole.power_peak - saved) / unit::W));
  // Idle is 0.26 of 14 kW; the rise above it shrinks by (0.7 - 0.104) / (0.9 - 0.104).
  CHECK(*capped.power_typical / unit::kW == Approx(14 * (0.26 + 0.74 * 0.596 / 0.796)));
  CHECK(*capped.power_typical < *capped.power_design);
}

TEST_CASE("a site under a cap draws less and says what each accelerator may draw", "[power]") {
  SiteRequest request;
  request.count = 13;
  const SiteAnswer whole = plan_site(catalog().systems().find("dgx-b300"), request);
  request.power_cap = PowerCap{0.7, &phases()};
  const SiteAnswer capped = plan_site(catalog().systems().find("dgx-b300"), request);
  CHECK(capped.it.compute < whole.it.compute);
  CHECK(*capped.compute_design < *whole.compute_design);
  CHECK(*capped.accelerator_limit / unit::W ==
        Approx(0.7 * (*catalog().systems().find("dgx-b300").chip.tdp / unit::W)));
}

TEST_CASE("caps that nothing was measured at, and boards without a stated power, are refused", "[power]") {
  CHECK_THROWS_WITH(clocks_under_cap(phases(), 0.2), Catch::Contains("0.33 to 1"));
  CHECK_THROWS_AS(clocks_under_cap(phases(), 1.2), InputError);
  System unknown = catalog().systems().find("dgx-h100");
  unknown.chip.tdp.value.reset();
  CHECK_THROWS_WITH(with_power_cap(unknown, phases(), 0.7), Catch::Contains("board power"));
}
