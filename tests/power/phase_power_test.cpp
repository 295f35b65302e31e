#include "model/power/phase_power.hpp"

#include "model/catalog/catalog.hpp"

#include <catch2/catch.hpp>

using namespace roofplan::model;

namespace {

const Catalog& catalog() {
  static const Catalog shipped;
  return shipped;
}

SystemPower power(const char* system, double prefill, double decode) {
  return system_power(catalog().systems().find(system), catalog().phase_power(), {prefill, decode});
}

}  // namespace

TEST_CASE("an idle system draws its idle power, a busy one its typical power", "[power]") {
  CHECK(power("dgx-b200", 0, 0).mean / unit::W == Approx(2745));
  CHECK(power("dgx-b200", 1, 0).mean / unit::W == Approx(10400));
  CHECK(power("gb10", 0, 0).mean / unit::W == Approx(25));
}

TEST_CASE("a DGX B200 that decodes draws 2,745 + 7,655 x (0.55 - 0.104) / (0.9 - 0.104) W, by hand",
          "[power]") {
  const SystemPower decoding = power("dgx-b200", 0, 1);
  CHECK(decoding.mean / unit::W == Approx(7034.1).epsilon(1e-4));
  CHECK(decoding.low < decoding.mean);
  CHECK(decoding.high > decoding.mean);
}

TEST_CASE("a GB10 serves at 95 W and peaks between 123 and 156 W in runs with prompts (seed B13)",
          "[power]") {
  CHECK(power("gb10", 0, 1).mean / unit::W == Approx(95));
  const double prompts = power("gb10", 1, 0).mean / unit::W;
  CHECK(prompts > 123);
  CHECK(prompts < 156);
}

TEST_CASE("no estimate is above the stated peak", "[power]") {
  CHECK(power("gb10", 1, 0).high / unit::W <= 208);
  CHECK(power("dgx-h100", 1, 0).high / unit::W <= 10200);
}

TEST_CASE("a card without its host draws its shares of the TDP", "[power]") {
  CHECK(power("rtx-5090", 0, 1).mean / unit::W == Approx(0.104 * 575 + (1 - 0.104) * 575 * 0.446 / 0.796));
}

TEST_CASE("a system whose power nobody states has none, and never 0 W (field report C8)", "[power]") {
  CHECK(power("dgx-station-gb300", 0, 1).unknown.has_value());
}
