#pragma once

#include "model/calibration/calibration_file.hpp"
#include "model/roofline/error_ranges.hpp"

#include <optional>

namespace roofplan::model {

/// Factors of a predicted decode step on the machine that `calibrate` measured between which eight of ten
/// measured ones are expected: the 10th and 90th percentile of measured / predicted over the layers that it
/// replayed on one device, ranks taken outward as in range_of(). Fewer than nine layers do not hold 80 %
/// between their extremes, and are widened to what the fits of products and attention leave, the 90th
/// percentile of their errors; without any layer those stand alone. Nothing for a calibration of no machine
/// or without either.
std::optional<ErrorRange> machine_range(const Calibration& calibration);

}  // namespace roofplan::model
