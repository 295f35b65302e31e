#pragma once

#include "model/catalog/data_files.hpp"
#include "model/catalog/sources.hpp"
#include "model/hardware/figure.hpp"

#include <string_view>

namespace roofplan::model {

/// How the tokens of a batch choose experts, by what they are: the exponent of distinct_experts(). It belongs
/// to the load, whatever engine serves it.
struct RoutingExponents {
  Figure<double> text;    ///< what people and programs send: tokens share experts, below 1
  Figure<double> random;  ///< benchmarks that draw random tokens: independent

  /// `load` is "text" or "random", as in a scenario's load.routing; any other word is text.
  double of(std::string_view load) const { return load == "random" ? *random : *text; }
};

/// Reads data/routing.json. Throws InputError (content) for exponents outside (0, 1].
RoutingExponents load_routing(const DataFiles& files, const Sources& sources);

}  // namespace roofplan::model
