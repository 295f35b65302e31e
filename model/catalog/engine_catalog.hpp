#pragma once

#include "model/catalog/data_files.hpp"
#include "model/catalog/sources.hpp"
#include "model/memory/engine.hpp"

namespace roofplan::model {

/// Reads data/engines/*.json. Throws InputError (content) with file and JSON pointer.
EngineTable load_engines(const DataFiles& files, const Sources& sources);

}  // namespace roofplan::model
