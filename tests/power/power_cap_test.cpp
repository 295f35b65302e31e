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
  // Boards of 1,100 W that would draw 0.9 of it draw 0.7: 14,000 - 8 x 1,100 x 0.2 = 12,240, but no more than
  // design power, 14,500 - 8 x 1,100 x 0.3.
  CHECK(*capped.power_typical / unit::W == Approx(11'860));
}

TEST_CASE("a cap saves no more than its boards can: their draw above it", "[power]") {
  const auto saved = [](const char* id, double cap) {
    const System& whole = catalog().systems().find(id);
    return (*whole.power_typical - *with_power_cap(whole, phases(), cap).power_typical) / unit::W;
  };
  // 14,000 W less design power under the cap, 14,500 - 8 x 1,100 x 0.67; the boards can save 5,896 W.
  CHECK(saved("dgx-b300", 0.33) == Approx(5396));
  CHECK(saved("dgx-b300", 0.6) == Approx(3020));
  CHECK(saved("dgx-b300", 0.95) == Approx(0).margin(1e-6));
  CHECK(saved("dgx-h200", 0.33) >= Approx(8 * 700 * 0.57));
  CHECK(saved("dgx-h200", 0.33) <= Approx(8 * 700 * 0.67));
}

TEST_CASE("a cap leaves the host's power in every phase, and a lone card below its limit", "[power]") {
  const System& node = catalog().systems().find("dgx-b300");
  const auto saved = [&](PhaseShares shares) {
    return (system_power(node, phases(), shares).mean - system_power(node, phases(), shares, 0.33).mean) /
           unit::W;
  };
  CHECK(saved({0, 0}) == Approx(0).margin(1e-6));
  CHECK(saved({0, 1}) == Approx(8 * 1100 * 0.22));
  CHECK(saved({0.5, 0.25}) == Approx(8 * 1100 * (0.5 * 0.57 + 0.25 * 0.22)));
  CHECK(system_power(catalog().systems().find("rtx-5090"), phases(), {1, 0}, 0.5).mean / unit::W ==
        Approx(0.5 * 575));
}

TEST_CASE("network, storage and management draw under a cap what they draw without", "[power]") {
  SiteRequest request;
  request.count = 13;
  const SiteAnswer whole = plan_site(catalog().systems().find("dgx-b300"), request);
  request.power_cap = PowerCap{0.33, &phases()};
  const SiteAnswer capped = plan_site(catalog().systems().find("dgx-b300"), request);
  // 3 % and twice 1 % of 13 x 14,000 W.
  CHECK(capped.it.network / unit::W == Approx(5460));
  CHECK(capped.it.storage / unit::W == Approx(1820));
  CHECK(capped.it.management / unit::W == Approx(1820));
  CHECK(capped.it.compute / unit::W == Approx(13 * (14'000 - 5396)));
  CHECK(capped.it.network == whole.it.network);
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
