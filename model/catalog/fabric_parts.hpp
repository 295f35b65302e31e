#pragma once

#include "model/catalog/network_catalog.hpp"
#include "model/fabric/fabric_plan.hpp"
#include "model/hardware/system.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace roofplan::model {

/// The networks one may ask for: "quantum-2", "quantum-x800", "spectrum-4".
const std::vector<std::string>& fabric_networks();

/// The parts that join systems of one kind; `network` empty: InfiniBand at the rate of the system's ports.
/// GB10 boxes take cables up to three and a switch for four. Throws InputError (usage) for a system without
/// network ports, or a network whose ports are of another rate.
FabricParts fabric_parts(const System& system, const NetworkCatalog& network_catalog,
                         std::string_view network = {});

/// What the vendor prints for so many systems with that switch: the stage of a scalable unit, or nothing
/// where the number is no whole stage.
std::optional<ScalableUnit::Stage> published_stage(const System& system,
                                                   const NetworkCatalog& network_catalog,
                                                   const FabricParts& parts, std::int64_t systems);

}  // namespace roofplan::model
