#pragma once

#include "model/catalog/scenario_fields.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace roofplan::model {

/// A field of a scenario as flags, forms and sweeps need to know it.
struct FieldInfo {
  enum class Type { text, boolean, integer, number, quantity, word, list, degree };

  std::string path;  ///< with dots, "load.prompt_tokens"
  Type type = Type::text;
  FieldSpec spec;
  std::string default_text;  ///< empty where there is none
};

/// Every field outside lists of objects, in the order of the scenario file.
const std::vector<FieldInfo>& scenario_field_table();

/// The field at a path. Throws InputError (usage) with the nearest paths.
const FieldInfo& scenario_field(std::string_view path);

}  // namespace roofplan::model
