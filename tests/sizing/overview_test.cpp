#include "model/sizing/overview.hpp"

#include <catch2/catch.hpp>

using namespace roofplan::model;

namespace {
const Catalog& catalog() {
  static const Catalog kCatalog;
  return kCatalog;
}
}  // namespace

TEST_CASE("a count stands behind a system's name, and names that end in x and digits stay names",
          "[sizing]") {
  const SystemCatalog& systems = catalog().systems();
  CHECK(parse_system_offer("gb10x2", systems).count == 2);
  CHECK(parse_system_offer("dgx-spark", systems).system == "gb10");
  CHECK(parse_system_offer("rtx-5090", systems).count == 1);
  CHECK(parse_system_offer("gb10", systems).to_string() == "gb10");
  CHECK(parse_system_offer("dgx-b300x13", systems).to_string() == "dgx-b300 x13");
  CHECK_THROWS_AS(parse_system_offer("gb10x0", systems), InputError);
  CHECK_THROWS_WITH(parse_system_offer("gb11x2", systems), Catch::Contains("gb10"));
}

TEST_CASE("an overview answers every pair in order, and agrees with fit on what 405B needs", "[sizing]") {
  OverviewRequest request;
  request.models = {"gpt-oss-120b", "llama-3.1-405b"};
  request.offers = {{"gb10", 1}, {"gb10", 2}};
  const std::vector<OverviewEntry> entries = overview(request, SpeedData(catalog()));
  REQUIRE(entries.size() == 4);
  CHECK(entries[0].fit.fits);
  CHECK(entries[3].model == "llama-3.1-405b");
  CHECK(entries[3].offer.count == 2);
  CHECK_FALSE(entries[3].fit.fits);
  // 405,853,388,800 parameters of 2 bytes.
  CHECK(entries[3].fit.weights.text.count() == 811'706'777'600);
  CHECK_FALSE(entries[3].fit.fits_in_format.empty());
}
