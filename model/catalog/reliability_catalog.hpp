#pragma once

#include "model/catalog/data_files.hpp"
#include "model/catalog/sources.hpp"
#include "model/reliability/failure_rates.hpp"

namespace roofplan::model {

/// Reads data/reliability.json. Throws InputError (content) for anything unknown or without a number.
FailureRates load_failure_rates(const DataFiles& files, const Sources& sources);

}  // namespace roofplan::model
