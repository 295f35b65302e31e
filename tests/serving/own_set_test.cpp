#include "model/calibration/range_fit.hpp"
#include "model/calibration/validate.hpp"
#include "tests/places.hpp"
#include "tests/serving/question.hpp"

#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <regex>

using namespace roofplan::model;

namespace {

/// The built-in points, predicted.
Validation own_set() {
  const Catalog& catalog = shipped_catalog();
  const ErrorRanges ranges(catalog.files(), catalog.sources());
  const CalibrationSet calibrations(catalog.files());
  std::vector<RowPrediction> rows;
  for (const std::string& path : catalog.files().in_folder("measured")) {
    const CsvTable table = CsvTable::parse(catalog.files().text(path), path);
    const auto more = predict_rows(table, calibrations, ranges);
    rows.insert(rows.end(), more.begin(), more.end());
  }
  return validate(rows);
}

}  // namespace

TEST_CASE("the built-in points are as many and as well predicted as the README says", "[serving]") {
  const Validation found = own_set();
  std::ifstream readme(std::filesystem::path(roofplan::test::source_root()) / "README.md");
  const std::regex row(R"(\| built in \| `([a-z_0-9A-Z]+)` \| ([0-9,]+) \| ([0-9.]+) % \| ([0-9.]+) % \|)");
  std::size_t told = 0;
  for (std::string line; std::getline(readme, line);) {
    std::smatch match;
    if (!std::regex_search(line, match, row)) continue;
    ++told;
    const auto at = std::find_if(found.overall.begin(), found.overall.end(),
                                 [&](const auto& metric) { return metric.first == match[1].str(); });
    INFO(line);
    REQUIRE(at != found.overall.end());
    CHECK(at->second.errors.n == std::stoul(match[2].str()));
    CHECK(100 * at->second.errors.median_ape <= 1.1 * std::stod(match[3].str()));
    CHECK(100 * at->second.errors.p90_ape <= 1.1 * std::stod(match[4].str()));
  }
  CHECK(told == found.overall.size());
}
