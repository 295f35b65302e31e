#pragma once

#include <string>
#include <vector>

namespace roofplan::model {

/// One step of a computation, recorded where it happens, so that --explain can never tell another story
/// than the result.
struct Derivation {
  struct Input {
    std::string name;
    std::string value;   ///< with its unit
    std::string source;  ///< id in data/sources.json, or empty for what the user asked or a result above
  };
  std::string name;     ///< the result's key, e.g. "weights_bytes"
  std::string formula;  ///< in words and symbols, e.g. "parameters x bits per weight / 8"
  std::vector<Input> inputs;
  std::string result;  ///< with its unit
};

/// Collects derivations; pass nullptr where none are wanted (no cost then).
using Derivations = std::vector<Derivation>;

}  // namespace roofplan::model
