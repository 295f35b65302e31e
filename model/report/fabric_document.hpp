#pragma once

#include "model/fabric/fabric_plan.hpp"
#include "model/hardware/system.hpp"
#include "model/report/document.hpp"

#include <optional>

namespace roofplan::model::report {

/// What a line of the bill is for: "Leaf switches".
Text use_text(BillLine::Use use);

/// The keys of `fabric` under result; for people the bill of materials and the times of collectives.
/// `published`: what the vendor prints for that number of systems.
void describe_fabric(Document& document, const FabricPlan& plan, const System& system, std::int64_t count,
                     const std::optional<ScalableUnit::Stage>& published);

}  // namespace roofplan::model::report
