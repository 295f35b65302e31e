#pragma once

#include "model/calibration/validate.hpp"
#include "model/report/document.hpp"

#include <span>
#include <string>

namespace roofplan::model::report {

/// The keys of `validate` under result (`overall`, `groups[]`, `reasons`); for people a table by group.
void describe_validation(Document& document, const Validation& validation);

/// The keys `left_out[]` and `left_out_overall`: errors of rows predicted by fits that left out their
/// `column`
/// ("model", "system"), by its values, beside the errors of the same rows as fitted.
void describe_left_out(Document& document, const std::string& column, std::span<const RowPrediction> fitted,
                       std::span<const RowPrediction> left_out);

/// The keys of `calibrate` under result, those of the calibration file; for people a table of fitted values.
void describe_calibration(Document& document, const Calibration& calibration);

}  // namespace roofplan::model::report
