#pragma once

#include "model/catalog/engine_catalog.hpp"
#include "model/catalog/format_catalog.hpp"
#include "model/llm/weight_plan.hpp"
#include "model/memory/weights.hpp"

#include <string_view>

namespace roofplan::model {

inline const Sources& shipped_sources() {
  static const Sources sources{DataFiles()};
  return sources;
}

/// The number formats as compiled in, read once for all tests.
inline const FormatTable& shipped_formats() {
  static const FormatTable table = load_formats(DataFiles(), shipped_sources());
  return table;
}

inline const EngineTable& shipped_engines() {
  static const EngineTable table = load_engines(DataFiles(), shipped_sources());
  return table;
}

inline WeightBytes weights_in(const Architecture& model, std::string_view format) {
  return weight_bytes(model, WeightPlan(shipped_formats(), model, format));
}

inline double gib(ByteCount bytes) {
  return bytes.quantity() / unit::GiB;
}

}  // namespace roofplan::model
