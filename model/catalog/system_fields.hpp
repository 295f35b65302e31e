#pragma once

#include "model/catalog/sources.hpp"
#include "model/hardware/system.hpp"

#include <optional>
#include <string>
#include <vector>

namespace roofplan::model {

/// One number or text of a system as its data file states it, for printing.
struct SystemField {
  struct Value {
    std::optional<double> number;  ///< in `unit`
    std::string unit;
    std::string text;  ///< of a fact in words, else empty
    std::string source, source_title;
    std::string tier;  ///< how near to the vendor the source is: "primary", "transcribed", ...
    std::string kind;  ///< "datasheet", "measured", "derived", "estimate", "price"
    std::string date, note;
  };

  std::string path;  ///< "power_design", "chip.dense_rate.fp8", "other.airflow_max"
  Value value;
  std::string unknown_reason;       ///< set exactly when there is neither number nor text
  std::optional<double> low, high;  ///< in the unit of `value`
  std::vector<Value> alternatives;
};

/// Every field of the system and of its chip that has a source or a reason, in a fixed order.
std::vector<SystemField> list_fields(const System& system, const Sources& sources);

}  // namespace roofplan::model
