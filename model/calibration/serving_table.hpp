#pragma once

#include "model/calibration/serving_rules.hpp"
#include "model/calibration/speed_data.hpp"
#include "model/calibration/table_layout.hpp"
#include "model/memory/parallel.hpp"
#include "model/serving/steady_state.hpp"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace roofplan::model {

/// Everything that one combination of model, format, system, engine and plan needs, built once.
struct ServedDeployment {
  Architecture model;
  bool fits = true;  ///< all stated devices together hold the weights
  EngineSpeed engine;
  std::unique_ptr<StepModel> steps;
};

/// A table of serving runs, row by row: what was deployed, under what load, and what the model says.
class ServingTable {
 public:
  /// Both must outlive it.
  ServingTable(const CsvTable& table, const CalibrationSet& calibrations);

  std::size_t size() const { return table_.size(); }
  std::string text(std::size_t row, const char* column) const;
  /// Of the engine; empty where none is stated.
  std::string version(std::size_t row) const;
  std::optional<Seconds> measured(std::size_t row, const char* column) const;
  bool separate_pools(std::size_t row) const { return text(row, "mode") != "agg"; }
  /// Why the row cannot be predicted; empty: it can.
  std::string refusal(std::size_t row) const;
  ReplicaLoad load_of(std::size_t row) const;
  /// The exclusion rule that the row breaks at that precision; empty: none.
  std::string_view rule_of(std::size_t row, const std::string& precision);

  const EngineSpeed& engine(const std::string& id);
  /// Predicts rows of the engine with these numbers from now on.
  void set_engine(const EngineSpeed& engine);
  /// Equal for rows that share a deployment() of one pool.
  std::string deployment_key(std::size_t row) const;
  /// The deployment of a row of one pool, at its stated precision, with numbers of an engine of the caller.
  ServedDeployment deploy(std::size_t row, const EngineSpeed& engine) const;

  /// Appends the row's predictions, one a measured metric.
  void predict(std::size_t row, std::vector<RowPrediction>& out);

 private:
  std::int64_t whole(std::size_t row, const char* column) const;
  bool states(std::size_t row, const char* column) const;
  FabricPath path_of(const System& system) const;
  ParallelPlan plan_of(std::size_t row, const std::string& pool) const;
  std::string key_of(std::size_t row, const std::string& precision, const ParallelPlan& plan) const;
  ServedDeployment build(std::size_t row, const std::string& precision, const ParallelPlan& plan,
                         const EngineSpeed& engine) const;
  const ServedDeployment& deployed(std::size_t row, const std::string& precision, const ParallelPlan& plan);
  std::optional<double> places(std::size_t row, const std::string& pool, double workers) const;
  Seconds transfer(std::size_t row, const ServedDeployment& deployed, double prompt,
                   const ParallelPlan& prefill, const ParallelPlan& decode) const;
  SteadyState run_pools(std::size_t row, const std::string& precision, const ReplicaLoad& load);
  SteadyState run(std::size_t row, const std::string& precision);

  const CsvTable& table_;
  Catalog catalog_;
  SpeedData data_;
  std::map<std::string, EngineSpeed> engines_;  ///< of set_engine()
  std::map<std::string, std::unique_ptr<ServedDeployment>> deployed_;
};

}  // namespace roofplan::model
