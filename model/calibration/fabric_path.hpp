#pragma once

#include "model/calibration/calibration_set.hpp"
#include "model/catalog/link_catalog.hpp"
#include "model/fabric/engine_all_reduce.hpp"

#include <optional>

namespace roofplan::model {

/// All that a message may cross among accelerators of so many of these systems: the law of the domain from
/// the calibration of its chip ("b300-sxm" is calibrated as "b300_sxm"), the network from `links`. Cards
/// without NVLink are taken as sharing the PCIe switches of one server, up to eight, as measured for the RTX
/// PRO 6000.
FabricPath fabric_path(const System& system, const CalibrationSet& calibrations, const LinkCatalog& links,
                       LinkState state = LinkState::nominal);

/// The engines' own all-reduce of small messages, where it was measured on the system's chip.
std::optional<EngineAllReduceLaw> engine_all_reduce_of(const System& system,
                                                       const CalibrationSet& calibrations);

}  // namespace roofplan::model
