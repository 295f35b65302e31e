#pragma once

#include "model/calibration/calibration_set.hpp"
#include "model/calibration/csv_table.hpp"
#include "model/roofline/error_ranges.hpp"

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace roofplan::model {

/// What became of one row of a table of measurements.
struct RowPrediction {
  enum class State {
    predicted,
    unsupported,   ///< the model has no answer; `reason` says why
    undetermined,  ///< the row does not say enough (such as a blank precision): predicted both ways, not
                   ///< counted
    excluded,      ///< marked in the table as an outlier or as speculative decoding
  };
  std::size_t table = 0;  ///< of those held against the model together
  std::size_t row = 0;    ///< of its table
  State state = State::predicted;
  std::string metric;                            ///< the column or metric word measured
  std::string system, model, engine, operation;  ///< empty where the table has none
  double measured = 0.0, predicted = 0.0;        ///< in the table's unit
  double low = 0.0, high = 0.0;                  ///< range of the prediction
  bool has_range = true;                         ///< false: the prediction was stored without one
  /// Whose range the prediction takes in ErrorRanges, and which; empty: `low` and `high` are its own.
  std::string subject;
  Estimate estimate = Estimate::kernel;
  EngineSpeed::Basis basis = EngineSpeed::Basis::catalogue;
  double spread = 0;  ///< of the logarithm, beside that range: what the row leaves open, as a version
  bool rate = false;  ///< not a time: its range is that of its time turned round
  double most = 0;    ///< of a rate: what the datasheet allows at all for what the row names; 0: not known
  std::string reason;
  std::string rule;  ///< the exclusion rule that the row breaks (broken_rule()); empty: it passes
};

/// Excludes a row whose note marks it as an outlier or as speculative decoding; whether it does.
bool exclude_marked(const std::string& note, RowPrediction& row);

/// A kind of table that can be held against the model, told by its header.
struct TableLayout {
  std::string name;
  std::vector<std::string>
      columns;  ///< must all be there; of several matching layouts the one with most wins
  std::function<std::vector<RowPrediction>(const CsvTable&, const CalibrationSet&)> predict;
  /// Systems that occur in a table; empty function where nothing can be fitted.
  std::function<std::vector<std::string>(const CsvTable&)> systems = {};
  /// Fits the laws that all tables of this layout determine for one system, beside what the set knows, and
  /// sets them in the calibration, which may hold laws of other layouts already. Empty function where nothing
  /// can be fitted.
  std::function<void(std::span<const CsvTable* const>, const std::string& system, const CalibrationSet&,
                     Calibration&)>
      fit = {};
  /// Predictions of every row by fits that the rows with the same word in a column ("model", "system") had no
  /// part in. Empty function where nothing is fitted across systems and models.
  std::function<std::vector<RowPrediction>(const CsvTable&, const CalibrationSet&, const std::string& column)>
      leave_out = {};
};

/// The predictions of every row by a `Rows`, which is made of a table and calibrations and predicts a row.
template <class Rows>
std::vector<RowPrediction> predict_each(const CsvTable& table, const CalibrationSet& calibrations) {
  Rows rows(table, calibrations);
  std::vector<RowPrediction> out;
  for (std::size_t row = 0; row < table.size(); ++row) out.push_back(rows.predict(row));
  return out;
}

/// All layouts, in the order in which they are fitted.
const std::vector<TableLayout>& table_layouts();

/// The layout of a table. Throws InputError (content) that lists the layouts when none matches.
const TableLayout& layout_of(const CsvTable& table);

/// Fits everything that the tables determine, a calibration for each system in them, in the order of
/// appearance. `wanted` empty: all systems. `known`: the data and calibrations to fit beside. Throws
/// InputError as the readers do, and (content) for a table whose layout cannot be fitted or when a wanted
/// system is in no table.
std::vector<Calibration> calibrate_from(std::span<const CsvTable> tables,
                                        const std::vector<std::string>& wanted = {},
                                        const CalibrationSet& known = {});

}  // namespace roofplan::model
