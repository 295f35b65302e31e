#pragma once

#include "model/catalog/model_reference.hpp"
#include "model/catalog/scenario.hpp"
#include "model/report/value.hpp"
#include "model/serving/step_model_store.hpp"
#include "model/calibration/speed_data.hpp"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace roofplan::model::report {

/// Models by reference, read before a sweep so that threads share them.
using ModelTable = std::map<std::string, ModelFile, std::less<>>;

/// What the rows of a sweep share, all threads. `data` must be read already (load_all).
struct SweepParts {
  const SpeedData& data;
  ModelTable models;
  mutable StepModelStore step_models = {};
};

/// A verb whose scalars a sweep can print: the paths below its result, the same in every row.
struct SweepVerb {
  std::string name;
  std::vector<std::string> keys;
  /// The result of the verb. Throws InputError for a scenario that it cannot answer.
  Value (*answer)(const Scenario&, const SweepParts&);
  bool finds_system = false;  ///< the answer is what to buy, not what the scenario's own system does
};

/// "speed", "fit", "site", "cost", "size". Throws InputError (usage) for another.
const SweepVerb& sweep_verb(std::string_view name);
std::vector<std::string> sweep_verb_names();

/// The keys of one row and their values; what the result has not is null, and `reason` says why, as it does
/// for a scenario that cannot be answered.
Value sweep_row(const SweepVerb& verb, const Scenario& scenario, const SweepParts& parts);

}  // namespace roofplan::model::report
