#pragma once

#include "model/catalog/data_files.hpp"
#include "model/catalog/sources.hpp"
#include "model/fabric/scale_out_law.hpp"
#include "model/hardware/system.hpp"

#include <map>
#include <string>
#include <vector>

namespace roofplan::model {

/// A network between domains with the origin of each parameter.
struct LinkRecord {
  std::string id, name;
  std::vector<std::string> systems;  ///< ids of those that have it; empty: every other system with ports
  ScaleOutLaw law;                   ///< without line rate, which the system decides
  std::map<std::string, Provenance> provenance;  ///< by the name of the parameter
};

/// The networks of data/network/links.json.
class LinkCatalog {
 public:
  /// Throws InputError (content) with file and JSON pointer.
  LinkCatalog(const DataFiles& files, const Sources& sources);

  const std::vector<LinkRecord>& links() const { return links_; }
  /// The network of a system, its line rate being that of the system's ports per accelerator.
  ScaleOutLaw of(const System& system) const;
  const LinkRecord& record_of(const System& system) const;

 private:
  std::vector<LinkRecord> links_;
};

}  // namespace roofplan::model
