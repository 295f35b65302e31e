#include "model/acceptance/bench_model.hpp"
#include "model/acceptance/checks.hpp"
#include "model/acceptance/outlier_test.hpp"
#include "model/calibration/desktop_layout.hpp"
#include "model/calibration/range_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace roofplan::model {
namespace {

/// How far below its prediction a healthy row may lie. One of ten lies below `low`, 1.28 standard deviations
/// down if errors are normal, and one of two hundred twice as far down. Half the rate is no healthy box,
/// however little is known of the model's error.
double tolerance_of(const RowPrediction& row) {
  return std::min(0.5, 2 * (1 - row.low / row.predicted));
}

std::string test_text(const EngineRate& rate) {
  const std::string test = fmt::format("{}{}", rate.prefill ? "pp" : "tg", rate.tokens);
  return rate.depth > 0 ? fmt::format("{} @ d{}", test, rate.depth) : test;
}

/// The rows as a table of desktop measurements, which the model predicts.
CsvTable as_table(const std::vector<EngineRate>& rates, const Promise& promise, const ModelCatalog& models) {
  std::string text =
      "system,n_systems,engine,model,quant,prompt_tokens,generated_tokens,context_depth,batch,metric,value,"
      "note\n";
  for (const EngineRate& rate : rates) {
    const BenchModel model = bench_model(rate, models);
    text += fmt::format("{},1,llama.cpp,{},{},{},{},{},1,{},{},\n", promise.system->id,
                        csv_field(model.model.empty() ? "unknown" : model.model), csv_field(model.format),
                        rate.prefill ? rate.tokens : 0, rate.prefill ? 0 : rate.tokens, rate.depth,
                        rate.prefill ? "prefill_tok_s" : "decode_tok_s", rate.rate / unit::tok_s);
  }
  return CsvTable::parse(text, "llama-bench");
}

/// The check of a row that is predicted for one of `gpus` accelerators, over which it may have been spread.
Check row_check(const EngineRate& rate, const RowPrediction& p, std::int64_t gpus) {
  const std::string name = rate.prefill ? "llama_bench.prefill" : "llama_bench.decode";
  const double measured = rate.rate / unit::tok_s;
  Check check;
  if (p.state == RowPrediction::State::predicted && p.predicted > 0) {
    check = at_least(name, measured, p.predicted, tolerance_of(p), "tok/s");
    const double most = static_cast<double>(gpus) * p.most;
    if (most > 0 && measured > most)
      check.leave_open(Text("accept.engine.above", {{"most", fmt::format("{:.3g}", most)}}));
  } else {
    check.name = name;
    check.measured = measured;
    check.unit = "tok/s";
    check.reason = as_is(p.reason);
  }
  check.node = rate.place.node;
  check.detail = fmt::format("{}, {}", rate.kind.empty() ? rate.model : rate.kind, test_text(rate));
  return check;
}

void check_rates(const Evidence& evidence, const Promise& promise, Acceptance& acceptance) {
  const CsvTable table = as_table(evidence.engine_rates, promise, *promise.models);
  static const ErrorRanges kUnknown;
  const std::vector<RowPrediction> predictions =
      predict_rows(table, *promise.calibrations, promise.ranges ? *promise.ranges : kUnknown);
  for (std::size_t i = 0; i < evidence.engine_rates.size(); ++i)
    acceptance.checks.push_back(row_check(evidence.engine_rates[i], predictions[i], promise.gpus_of_host()));
}

struct Peer {
  std::string node, unit;
  double value = 0;
};

void compare(const std::map<std::string, std::vector<Peer>>& groups, const Promise& promise,
             Acceptance& acceptance) {
  for (const auto& [name, peers] : groups) {
    std::vector<double> values;
    for (const Peer& peer : peers) values.push_back(peer.value);
    const double usual = robust_spread(values).median;
    for (const std::size_t i : outliers_among(values, BadSide::low, *promise.limits)) {
      Outlier outlier;
      outlier.kind = "node";
      outlier.name = name;
      outlier.node = peers[i].node;
      outlier.measured = values[i];
      outlier.usual = usual;
      outlier.unit = peers[i].unit;
      outlier.reason = Text("accept.outlier.node");
      acceptance.outliers.push_back(std::move(outlier));
    }
  }
}

void check_calibrated(const Evidence& evidence, Acceptance& acceptance) {
  for (const CalibratedFigure& figure : evidence.calibrated) {
    Check check;
    check.name = "calibration." + figure.name;
    check.node = figure.place.node;
    check.measured = figure.measured;
    if (figure.datasheet) check.expected = *figure.datasheet;
    check.pass = figure.reached;
    if (!figure.reached) check.reason = Text("accept.no_expectation");
    if (figure.reached == false) check.reason = Text("accept.below");
    acceptance.checks.push_back(std::move(check));
  }
}

}  // namespace

void check_engines(const Evidence& evidence, const Promise& promise, Acceptance& acceptance) {
  std::map<std::string, std::vector<Peer>> groups;
  for (const EngineRate& rate : evidence.engine_rates)
    groups[fmt::format("llama_bench {} {}", rate.kind, test_text(rate))].push_back(
        {rate.place.node, "tok/s", rate.rate / unit::tok_s});
  for (const CalibratedFigure& figure : evidence.calibrated)
    groups["calibration." + figure.name].push_back({figure.place.node, {}, figure.measured});
  if (!evidence.engine_rates.empty() && promise.models != nullptr) check_rates(evidence, promise, acceptance);
  check_calibrated(evidence, acceptance);
  compare(groups, promise, acceptance);
}

}  // namespace roofplan::model
