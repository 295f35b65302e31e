#include "model/catalog/model_reference.hpp"

#include "model/llm/stand_in.hpp"

namespace roofplan::model {

ModelFile find_model(const Catalog& catalog, const std::string& reference, bool assume) {
  if (is_stand_in_name(reference)) return {stand_in_model(reference), std::nullopt, {}};
  // A name of the catalogue wins over a file of the same name that happens to lie in the working folder.
  if (catalog.models().contains(reference) || !is_model_path(reference))
    return {catalog.models().find(reference), std::nullopt, {}};
  return load_model_path(reference, assume);
}

}  // namespace roofplan::model
