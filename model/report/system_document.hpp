#pragma once

#include "model/catalog/system_catalog.hpp"
#include "model/report/document.hpp"

namespace roofplan::model::report {

/// All systems: `systems[]` under result, a table of the figures that one compares first.
void describe_systems(Document& document, const SystemCatalog& catalog);

/// One system: the same figures, and `fields[]` with every figure, its unit, source and kind.
void describe_system(Document& document, const System& system, const Sources& sources);

}  // namespace roofplan::model::report
