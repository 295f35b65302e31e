#pragma once

#include "model/calibration/calibration_file.hpp"
#include "model/report/document.hpp"

namespace roofplan::model::report {

/// For people: what a machine that was measured reaches of its datasheet, the layers replayed on it,
/// predicted against measured, and the notes. Nothing for a calibration of points.
void describe_machine(Document& document, const Calibration& calibration);

}  // namespace roofplan::model::report
