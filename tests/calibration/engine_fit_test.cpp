#include "model/calibration/engine_fit.hpp"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <string>

using namespace roofplan::model;

namespace {

const char* const kHeader =
    "engine,model,system,precision,mode,isl,osl,concurrency,tp,pp,attention_dp,moe_ep,ttft_ms,tpot_ms\n";

/// Rows of one model, their times those of the shipped engine but for `factor` on the time between tokens.
std::string rows_of(const std::string& model, double factor) {
  std::string out;
  for (const int tp : {1, 2, 4, 8})
    for (const int concurrency : {1, 4, 16, 64})
      for (const int prompt : {512, 4096})
        out += fmt::format("vllm,{},h200_sxm,fp8,agg,{},512,{},{},1,1,1,{},{}\n", model, prompt, concurrency,
                           tp, 100, 10 * factor);
  return out;
}

/// The same rows with the times that the model gives them, times `factor` between tokens.
CsvTable measured_table(const std::vector<std::pair<std::string, double>>& models) {
  std::string text = kHeader;
  for (const auto& [model, factor] : models) text += rows_of(model, 1);
  const CsvTable blank = CsvTable::parse(text, "blank.csv");
  const CalibrationSet calibrations;
  ServingTable serving(blank, calibrations);
  std::string out = kHeader;
  for (std::size_t row = 0; row < blank.size(); ++row) {
    std::vector<RowPrediction> times;
    serving.predict(row, times);
    double factor = 1;
    for (const auto& [model, f] : models)
      if (serving.text(row, "model") == model) factor = f;
    for (std::size_t c = 0; c + 2 < blank.columns().size(); ++c) out += blank.text(row, c) + ",";
    out += fmt::format("{},{}\n", times[0].predicted, factor * times[1].predicted);
  }
  return CsvTable::parse(out, "measured.csv");
}

double layer_us(const EngineSpeed& engine) {
  return *engine.overheads.layer / unit::us;
}

}  // namespace

TEST_CASE("rows that take what the engine says give the engine's numbers back", "[calibration][slow]") {
  const CsvTable table = measured_table({{"meta-llama/Llama-3.1-70B", 1}, {"Qwen/Qwen3-32B", 1}});
  const CalibrationSet calibrations;
  ServingTable serving(table, calibrations);
  const EngineFit fit(serving, "vllm");
  CHECK(fit.rows() == table.size());
  const std::vector<CalibratedLaw> laws = fit.laws();
  REQUIRE(laws.size() == 2);
  CHECK(laws[0].law == "engine/between_tokens");
  CHECK(laws[0].residuals.median_ape < 0.01);
}

TEST_CASE("slower layers are found as slower layers, and only where they are", "[calibration][slow]") {
  const CsvTable slow = measured_table({{"meta-llama/Llama-3.1-70B", 1.3}, {"Qwen/Qwen3-32B", 1}});
  const CsvTable even = measured_table({{"Qwen/Qwen3-32B", 1}});
  const CalibrationSet calibrations;
  ServingTable slow_rows(slow, calibrations), even_rows(even, calibrations);
  const EngineFit fit(slow_rows, "vllm"), other(even_rows, "vllm");
  const double all = layer_us(*fit.fitted()),
               without = layer_us(*fit.fitted("model", "meta-llama/Llama-3.1-70B"));
  CHECK(all > without);
  // A fit without a model is the fit to a table without it.
  CHECK(without == Approx(layer_us(*other.fitted())));
}

TEST_CASE("a version whose rows all take longer gets a factor of its own", "[calibration][slow]") {
  // The times of one version 1.2 times those of the other: the prior of 25 rows draws each of 32 towards 1,
  // so that the ratio of the factors lies between the two.
  const CsvTable even = measured_table({{"meta-llama/Llama-3.1-70B", 1}, {"Qwen/Qwen3-32B", 1.2}});
  std::string text = std::string("engine_version,") + kHeader;
  for (std::size_t row = 0; row < even.size(); ++row) {
    text += even.text(row, even.column("model")) == "Qwen/Qwen3-32B" ? "0.17.1" : "0.18.0rc2";
    for (std::size_t c = 0; c < even.columns().size(); ++c) text += "," + even.text(row, c);
    text += "\n";
  }
  const CsvTable table = CsvTable::parse(text, "versions.csv");
  const CalibrationSet calibrations;
  ServingTable serving(table, calibrations);
  const EngineSpeed fitted = *EngineFit(serving, "vllm").fitted();
  REQUIRE(fitted.versions.size() == 2);
  const double ratio = fitted.version_factor("0.17") / fitted.version_factor("0.18");
  CHECK(ratio > 1.02);
  CHECK(ratio < 1.2);
}

TEST_CASE("an engine that too few rows speak of is not fitted", "[calibration]") {
  const CsvTable table = CsvTable::parse(
      std::string(kHeader) + "vllm,Qwen/Qwen3-32B,h200_sxm,fp8,agg,512,512,4,1,1,1,1,100,10\n", "few.csv");
  const CalibrationSet calibrations;
  ServingTable serving(table, calibrations);
  const EngineFit fit(serving, "vllm");
  CHECK(fit.rows() == 1);
  CHECK_FALSE(fit.fitted().has_value());
  CHECK(fit.laws().empty());
}
