#pragma once

#include "model/calibration/calibration_file.hpp"
#include "model/catalog/catalog.hpp"
#include "model/probe/device.hpp"

#include <vector>

namespace roofplan::probe {

/// The chip of the catalogue that a device is: of the same compute capability, with as many multiprocessors
/// and as much memory (to 6 %: drivers keep some back); where several are so, the one whose name has most in
/// common with the device's. nullptr where there is none; a CPU is none.
const model::Chip* chip_of(const DeviceIdentity& identity, const model::Catalog& catalog);

/// What was measured against the datasheet of `chip`, quantity by quantity: memory bandwidth, and the rate of
/// matrix products by format. `reached` is at least 95 % of what good kernels reach of the datasheet on
/// healthy chips of the kind (data/efficiencies). Without a chip, or without a figure of it, the datasheet is
/// unknown and nothing is judged.
std::vector<model::CalibrationVerdict> verdict(const model::Calibration& calibration, const model::Chip* chip,
                                               const model::Catalog& catalog);

}  // namespace roofplan::probe
