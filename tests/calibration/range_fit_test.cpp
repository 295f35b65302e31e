#include "model/calibration/range_fit.hpp"

#include "model/calibration/validate.hpp"
#include "model/catalog/catalog.hpp"

#include <catch2/catch.hpp>
#include <fmt/format.h>

using namespace roofplan::model;

namespace {

using Basis = EngineSpeed::Basis;

/// Rows of "vllm" whose measured time is 0.81, 0.82 and so on of an estimate of 10.
std::vector<RowPrediction> rows(int n, Estimate estimate, bool rate = false) {
  std::vector<RowPrediction> out;
  for (int i = 0; i < n; ++i) {
    RowPrediction row;
    const double time = 0.81 + 0.01 * i;
    row.metric = rate ? "decode_tok_s" : "tpot_ms";
    row.subject = "vllm";
    row.estimate = estimate;
    row.rate = rate;
    row.predicted = 10;
    row.measured = rate ? 10 / time : 10 * time;
    out.push_back(row);
  }
  return out;
}

}  // namespace

TEST_CASE("a range holds eight tenths of the rows it was made from, outward where they are few",
          "[calibration]") {
  // 39 rows: ranks 0.1 x 40 = 4 and 0.9 x 40 = 36.
  const ErrorRanges fitted = fit_ranges(rows(39, Estimate::token));
  const ErrorRange* range = fitted.find("vllm", Estimate::token, Basis::catalogue);
  REQUIRE(range != nullptr);
  CHECK(range->low == Approx(0.84));
  CHECK(range->high == Approx(1.16));
  CHECK(range->n == 39);
  CHECK(fitted.find(ErrorRanges::kAnyEngine, Estimate::token, Basis::catalogue) != nullptr);
  // 99 rows: ranks 10 and 90.
  const ErrorRanges many = fit_ranges(rows(99, Estimate::token));
  CHECK(many.find("vllm", Estimate::token, Basis::catalogue)->low == Approx(0.90));
  CHECK(many.find("vllm", Estimate::token, Basis::catalogue)->high == Approx(1.70));
  // 30 rows: rank 0.1 x 31 = 3.1 down, 27.9 up. Fewer would rest on single rows.
  const ErrorRanges few = fit_ranges(rows(30, Estimate::token));
  CHECK(few.find("vllm", Estimate::token, Basis::catalogue)->low == Approx(0.83));
  CHECK(few.find("vllm", Estimate::token, Basis::catalogue)->high == Approx(1.08));
  CHECK(fit_ranges(rows(29, Estimate::token)).all().empty());
  // Ten launches of a kernel: rank 0.1 x 11 = 1.1 down, 9.9 up: all of them, and the estimate itself.
  const ErrorRanges launches = fit_ranges(rows(10, Estimate::kernel));
  CHECK(launches.find("vllm", Estimate::kernel, Basis::catalogue)->low == Approx(0.81));
  CHECK(launches.find("vllm", Estimate::kernel, Basis::catalogue)->high == Approx(1.0));
  // A rate that is low is a time that is long.
  const ErrorRanges rates = fit_ranges(rows(39, Estimate::token, true));
  CHECK(rates.find("vllm", Estimate::token, Basis::catalogue)->low == Approx(0.84));
  CHECK(rates.find("vllm", Estimate::token, Basis::catalogue)->high == Approx(1.16));
}

TEST_CASE("a range is never narrower than on a stronger basis, and falls back on kindred and on any engine",
          "[calibration]") {
  ErrorRanges ranges;
  ranges.add("vllm", Estimate::token, Basis::catalogue, {0.8, 1.1, 100});
  ranges.add(ErrorRanges::kAnyEngine, Estimate::token, Basis::datasheet, {0.9, 1.5, 50});
  ranges.add(ErrorRanges::kAnyEngine, Estimate::first_token, Basis::catalogue, {0.5, 2.0, 50});
  CHECK(ranges.of("vllm", Estimate::token_alone, Basis::catalogue).high == 1.1);
  CHECK(ranges.of("vllm", Estimate::first_token, Basis::catalogue).high == 1.1);
  const ErrorRange weak = ranges.of("vllm", Estimate::token, Basis::datasheet);
  CHECK(weak.low == 0.8);
  CHECK(weak.high == 1.5);
  CHECK(ranges.of("sglang", Estimate::first_token, Basis::catalogue).high == 2.0);
  CHECK(ranges.of("sglang", Estimate::token, Basis::family).high == 1.5);
}

TEST_CASE("the file of ranges states factors to three decimals and the rows behind them", "[calibration]") {
  std::vector<RowPrediction> all = rows(39, Estimate::token);
  for (RowPrediction& row : all) row.basis = Basis::datasheet;
  const std::string text = ranges_text(fit_ranges(all), {"aiconfigurator-serving"});
  CHECK(text.find("\"vllm\": {\"token, datasheet\": [0.840, 1.160, 39]}") != std::string::npos);
}

TEST_CASE("every engine's shipped ranges widen from a fitted chip to a datasheet", "[calibration]") {
  const Catalog catalog;
  const ErrorRanges ranges(catalog.files(), catalog.sources());
  for (const std::string& engine : catalog.engines().ids()) {
    for (const Estimate estimate : {Estimate::token_alone, Estimate::token, Estimate::first_token,
                                    Estimate::prefill, Estimate::throughput}) {
      INFO(engine << ", " << to_text(estimate));
      const ErrorRange fitted = ranges.of(engine, estimate, Basis::catalogue);
      const ErrorRange family = ranges.of(engine, estimate, Basis::family);
      const ErrorRange sheet = ranges.of(engine, estimate, Basis::datasheet);
      CHECK(fitted.low <= 1);
      CHECK(fitted.high >= 1);
      CHECK(fitted.high > fitted.low);
      CHECK((family.low <= fitted.low && family.high >= fitted.high));
      CHECK((sheet.low <= family.low && sheet.high >= fitted.high));
    }
  }
}

TEST_CASE("a prediction with the machine's own calibration keeps the range of that calibration",
          "[calibration]") {
  const Catalog catalog;
  const ErrorRanges ranges(catalog.files(), catalog.sources());
  const CsvTable table = CsvTable::parse(
      "system,op,dtype,gpus,bytes,latency_ms\nh100_sxm,all_reduce,half,8,1048576,0.02\n", "p.csv");
  const ErrorRange* shipped = ranges.find("h100_sxm all_reduce", Estimate::kernel, Basis::catalogue);
  REQUIRE(shipped != nullptr);
  const RowPrediction row = predict_rows(table, {}, ranges).at(0);
  CHECK(row.high == Approx(row.predicted * shipped->high));
  CalibrationSet own;
  Calibration calibration = *catalogue_calibration("h100_sxm");
  for (CalibratedLaw& law : calibration.fit) law.residuals.p90_ape = 3;
  own.add(calibration);
  CHECK(predict_rows(table, own, ranges).at(0).high == Approx(4 * row.predicted));
}
