#pragma once

#include "model/catalog/catalog.hpp"
#include "model/catalog/scenario.hpp"

#include <string>
#include <vector>

namespace roofplan::model {

/// A name in a scenario that the catalogue does not know, or an engine that does not run on the system.
struct UnknownName {
  std::string path;  ///< of its field, with dots: "system.ref", "limits.systems.1"
  InputError error;  ///< usage, with the nearest names
};

/// The names of systems, formats, engine, circuit, tariff and offer that the catalogue does not know, in the
/// order of the fields, and where a model is named an engine that does not run on the system. Not looked up:
/// the system `this`, which a calibration makes, an offer where the scenario names quotations, which may hold
/// it, and the model, which find_model() finds.
std::vector<UnknownName> unknown_names(const Scenario& scenario, const Catalog& catalog);

/// The error of a name as that of the file which holds it: content, at the field's JSON pointer.
InputError in_file(const UnknownName& name, const std::string& file);

/// All faults of a scenario file: what its text breaks, else the names that are not known, the model's with
/// them. Empty when it is good. Throws InputError (missing) where the file cannot be read.
std::vector<InputError> scenario_file_problems(const std::string& file, const Catalog& catalog);

}  // namespace roofplan::model
