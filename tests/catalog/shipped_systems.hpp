#pragma once

#include "model/catalog/system_catalog.hpp"

namespace roofplan::model {

/// The catalogue as compiled in, read once for all tests.
inline const SystemCatalog& shipped_systems() {
  static const SystemCatalog catalog{DataFiles()};
  return catalog;
}

inline const System& shipped(std::string_view name) {
  return shipped_systems().find(name);
}

}  // namespace roofplan::model
