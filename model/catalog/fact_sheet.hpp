#pragma once

#include "model/catalog/data_files.hpp"
#include "model/catalog/sources.hpp"
#include "model/hardware/figure.hpp"

#include <map>
#include <string>

namespace roofplan::model {

/// Sourced facts of one subject that belong to no part and no system, such as data/sites/facility.json.
struct FactSheet {
  std::string name;
  std::map<std::string, Figure<double>> figures;  ///< each a number in its own unit
  std::map<std::string, SourcedText> texts;

  /// A figure that must be there. Throws InputError (content) with the nearest names.
  const Figure<double>& figure(const std::string& figure_name) const;
};

/// Reads {"name","other","texts"} from the data file of that path. Throws InputError (content).
FactSheet read_fact_sheet(const DataFiles& files, const std::string& path, const Sources& sources);

}  // namespace roofplan::model
