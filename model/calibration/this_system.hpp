#pragma once

#include "model/calibration/calibration_file.hpp"

#include <string>
#include <utility>
#include <vector>

namespace roofplan::model {

/// The catalogue files of the system `this` that a machine's own calibration stands for, as path below data/
/// and text: chip, system, and what kernels reach of the chip. The rates are those of the laws
/// "machine/product/FORMAT", "machine/attention/FORMAT", "machine/stream" and "machine/elementwise"; what is
/// not measured is unknown, with that reason. Empty for a calibration of no machine, and for one that
/// determines no matrix product: it says nothing of a system.
std::vector<std::pair<std::string, std::string>> this_system_files(const Calibration& calibration);

/// Whether it measured what several devices or processes exchange, "machine/collective/...": laws that no
/// answer takes, since the system `this` is one device.
bool measured_exchanges(const Calibration& calibration);

}  // namespace roofplan::model
