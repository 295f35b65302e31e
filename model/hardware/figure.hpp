#pragma once

#include <optional>
#include <string>
#include <vector>

namespace roofplan::model {

/// Where a number comes from.
struct Provenance {
  enum class Kind { datasheet, measured, derived, estimate, price };
  std::string source;  ///< id in data/sources.json
  Kind kind = Kind::datasheet;
  std::string date;  ///< ISO date where the value ages, else empty
  std::string note;
};

/// A fact in words, or the reason why it is unknown.
struct SourcedText {
  std::string text;
  std::string unknown_reason;  ///< set exactly when there is no text
  Provenance provenance;

  bool known() const { return unknown_reason.empty(); }
};

/// A number that the catalogue keeps beside the default because sources disagree.
struct Alternative {
  double value = 0;
  std::string unit;  ///< of the same dimension as the figure's own
  Provenance provenance;
};

/// A sourced value, or the reason why it is unknown. `T` is a typed quantity, ByteCount or double; a
/// double is the number in `unit`.
template <class T>
struct Figure {
  std::optional<T> value;
  std::string unknown_reason;  ///< set exactly when there is no value
  std::optional<T> low, high;  ///< the range that the sources support, low <= value <= high; both or neither
  std::string unit;            ///< as written in the data file, for display
  double shown = 0;            ///< the number as written in the data file, in `unit`
  Provenance provenance;
  std::vector<Alternative> alternatives;

  bool known() const { return value.has_value(); }
  const T& operator*() const { return *value; }
  const T* operator->() const { return &*value; }
};

}  // namespace roofplan::model
