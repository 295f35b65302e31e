#pragma once

#include "model/catalog/catalog.hpp"
#include "model/llm/files/model_path.hpp"

#include <string>

namespace roofplan::model {

/// The model that a MODEL argument names: a size alone ("dense:70B", "moe:120B-a5B"), files (see
/// load_model_path), or a name of the catalogue. With `assume` a config.json of an unknown architecture is
/// read by its keys. Throws InputError: usage for an unknown name or a malformed size, missing and content
/// as load_model_path.
ModelFile find_model(const Catalog& catalog, const std::string& reference, bool assume = false);

}  // namespace roofplan::model
