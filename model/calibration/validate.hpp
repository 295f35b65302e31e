#pragma once

#include "model/calibration/error_statistics.hpp"
#include "model/calibration/table_layout.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace roofplan::model {

/// How the model fares on the rows of one metric, or of one group of them.
struct ValidationScore {
  ErrorStatistics errors;   ///< of every predicted row
  ErrorStatistics passing;  ///< of those that pass the exclusion rules
  /// Share of the predicted rows whose measurement lies in the predicted range; nothing where none has one.
  std::optional<double> coverage;
  std::size_t unsupported = 0, undetermined = 0, excluded = 0;
};

/// Rows of one metric and operation, whatever system and model.
struct OperationScore {
  std::string metric, operation;
  ValidationScore score;
};

struct ValidationGroup {
  std::string system, model, engine, operation, metric;
  ValidationScore score;
};

/// The model held against tables of measurements.
struct Validation {
  std::vector<std::pair<std::string, ValidationScore>> overall;  ///< by metric, in the order of appearance
  std::vector<OperationScore> operations;                        ///< where tables have several
  std::vector<ValidationGroup> groups;                           ///< in the order of appearance
  std::map<std::string, std::size_t> reasons;                    ///< why rows were not counted, with how many
  std::map<std::string, std::size_t> rules;  ///< exclusion rules broken by counted rows, with how many
};

/// Statistics of row predictions, of one table or of several after one another.
Validation validate(std::span<const RowPrediction> rows);

/// The models that a calibration file ran on its machine after the fit, as rows of the metric `step_s`.
std::vector<RowPrediction> replay_rows(const Calibration& calibration);

/// The table with `predicted,low,high,reason,rule` added to its columns; numbers with six significant digits,
/// empty where there is no prediction. Where rows have several metrics, `<metric>_predicted`, `_low` and
/// `_high` of each come before, and the plain columns are those of the last metric.
std::string predictions_csv(const CsvTable& table, std::span<const RowPrediction> rows);

}  // namespace roofplan::model
