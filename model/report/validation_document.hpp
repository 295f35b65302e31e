#pragma once

#include "model/calibration/validate.hpp"
#include "model/report/document.hpp"

namespace roofplan::model::report {

/// The keys of `validate` under result (`overall`, `groups[]`, `reasons`); for people a table by group.
void describe_validation(Document& document, const Validation& validation);

/// The keys of `calibrate` under result, those of the calibration file; for people a table of fitted values.
void describe_calibration(Document& document, const Calibration& calibration);

}  // namespace roofplan::model::report
