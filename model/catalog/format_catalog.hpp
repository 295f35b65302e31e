#pragma once

#include "model/catalog/data_files.hpp"
#include "model/catalog/sources.hpp"
#include "model/llm/formats.hpp"

namespace roofplan::model {

/// Reads data/formats.json (an overlay's file replaces it whole). Throws InputError (content) with file and
/// JSON pointer for unknown keys, an id given twice, a rule or fallback that names no format.
FormatTable load_formats(const DataFiles& files, const Sources& sources);

}  // namespace roofplan::model
