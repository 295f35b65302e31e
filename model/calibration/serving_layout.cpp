#include "model/calibration/serving_layout.hpp"

#include "model/calibration/engine_fit.hpp"
#include "model/calibration/serving_table.hpp"

#include <algorithm>

namespace roofplan::model {
namespace {

std::vector<RowPrediction> predict(const CsvTable& table, const CalibrationSet& calibrations) {
  ServingTable serving(table, calibrations);
  std::vector<RowPrediction> out;
  for (std::size_t row = 0; row < table.size(); ++row) serving.predict(row, out);
  return out;
}

std::vector<RowPrediction> predict_without(const CsvTable& table, const CalibrationSet& calibrations,
                                           const std::string& column) {
  ServingTable serving(table, calibrations);
  return predict_left_out(serving, column);
}

/// Engines stand where tables of kernels have systems: their numbers hold on all systems.
std::vector<std::string> engines_of(const CsvTable& table) {
  std::vector<std::string> out;
  const std::size_t column = table.column("engine");
  for (std::size_t row = 0; row < table.size(); ++row) {
    const std::string engine = table.text(row, column);
    if (std::find(out.begin(), out.end(), engine) == out.end()) out.push_back(engine);
  }
  return out;
}

void fit_engine(std::span<const CsvTable* const> tables, const std::string& engine,
                const CalibrationSet& calibrations, Calibration& calibration) {
  for (const CsvTable* table : tables) {
    ServingTable serving(*table, calibrations);
    for (CalibratedLaw& law : EngineFit(serving, engine).laws()) calibration.set(std::move(law));
  }
}

}  // namespace

std::vector<TableLayout> serving_layouts() {
  return {{"engines under fixed concurrency",
           {"engine", "model", "system", "precision", "mode", "isl", "osl", "concurrency", "tp", "pp",
            "attention_dp", "moe_ep", "ttft_ms", "tpot_ms"},
           predict,
           engines_of,
           fit_engine,
           predict_without}};
}

}  // namespace roofplan::model
