#pragma once

#include "model/calibration/calibration_file.hpp"
#include "model/report/value.hpp"

namespace roofplan::model::report {

/// What of a calibration is compared with an earlier one: the device, the values that the points determine,
/// by law, and what was held against the datasheet. A value whose distance from the earlier one is within the
/// noise of both (twice the root of the sum of the squared standard deviations, at least 2 %) is the earlier
/// one: only drift remains. Probes and residuals move with every run and are left out.
Value drift_view(const Calibration& calibration, const Calibration* earlier = nullptr);

}  // namespace roofplan::model::report
