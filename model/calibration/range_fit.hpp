#pragma once

#include "model/calibration/table_layout.hpp"
#include "model/roofline/error_ranges.hpp"

#include <span>
#include <string>
#include <vector>

namespace roofplan::model {

/// Gives predicted rows the ranges that are stated of their subjects.
void apply_ranges(std::span<RowPrediction> rows, const ErrorRanges& ranges);

/// Rows of a table predicted by its layout, each with the range that its subject has in `ranges`; a row whose
/// subject has none keeps the range that its layout gave it.
std::vector<RowPrediction> predict_rows(const CsvTable& table, const CalibrationSet& calibrations,
                                        const ErrorRanges& ranges);

/// The range that holds 80 % of measured / predicted, one of them at least, and 1. Ranks are taken outward,
/// at 0.1 (n + 1) and 0.9 (n + 1), so that one to come lies inside with 80 % also where there are few.
ErrorRange range_of(std::vector<double> ratios);

/// Those of the predicted rows, by subject, estimate and basis, and those of any engine over all engines'
/// single pools; a subject with fewer than ten rows of kernels, or thirty of others, gets none.
ErrorRanges fit_ranges(std::span<const RowPrediction> rows);

/// The text of data/ranges.json. `sources`: ids of data/sources.json of the tables that the rows are from.
std::string ranges_text(const ErrorRanges& ranges, const std::vector<std::string>& sources);

}  // namespace roofplan::model
