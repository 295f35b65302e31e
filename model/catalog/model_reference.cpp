#include "model/catalog/model_reference.hpp"

#include "model/llm/stand_in.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace roofplan::model {
namespace {

bool is_file_name(std::string_view reference) {
  static constexpr std::array<std::string_view, 3> kEndings = {".json", ".gguf", ".safetensors"};
  return std::any_of(kEndings.begin(), kEndings.end(),
                     [&](std::string_view ending) { return reference.ends_with(ending); });
}

}  // namespace

ModelFile find_model(const Catalog& catalog, const std::string& reference, bool assume) {
  if (is_stand_in_name(reference)) return {stand_in_model(reference), std::nullopt, {}};
  if (is_file_name(reference)) return load_model_path(reference, assume);
  // A name of the catalogue wins over a folder of the same name that happens to lie in the working folder.
  if (catalog.models().contains(reference) || !is_model_path(reference))
    return {catalog.models().find(reference), std::nullopt, {}};
  return load_model_path(reference, assume);
}

}  // namespace roofplan::model
