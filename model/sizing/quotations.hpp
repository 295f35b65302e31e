#pragma once

#include "model/catalog/catalog.hpp"

#include <string>
#include <vector>

namespace roofplan::model {

/// The user's own prices, to put before the catalogue's. CSV with the columns item, amount, currency, date
/// and, where wanted, per, accelerators and note; or JSON {"prices": [{the same keys}]}. `item` is a system
/// or the id of a network part; `per` one of system (the default for systems), accelerator, part (the default
/// for parts), accelerator-hour, instance-hour (with `accelerators`). Throws InputError: missing where the
/// file cannot be opened, content with line or JSON pointer for anything unknown, negative or undated.
std::vector<Price> read_quotations(const std::string& path, const Catalog& catalog);

}  // namespace roofplan::model
