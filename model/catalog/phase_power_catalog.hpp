#pragma once

#include "model/catalog/data_files.hpp"
#include "model/catalog/sources.hpp"
#include "model/power/phase_power.hpp"

namespace roofplan::model {

/// Reads data/power.json. Throws InputError (content) for shares outside (0, 1].
PhasePower load_phase_power(const DataFiles& files, const Sources& sources);

}  // namespace roofplan::model
