#pragma once

#include "model/catalog/data_files.hpp"
#include "model/catalog/sources.hpp"
#include "model/cost/money.hpp"

#include <vector>

namespace roofplan::model {

/// Reads data/exchange.json. Throws InputError (content) with file and JSON pointer.
std::vector<ExchangeRate> load_exchange_rates(const DataFiles& files, const Sources& sources);

}  // namespace roofplan::model
