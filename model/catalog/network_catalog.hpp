#pragma once

#include "model/catalog/data_files.hpp"
#include "model/catalog/sources.hpp"
#include "model/hardware/network.hpp"

#include <string_view>
#include <vector>

namespace roofplan::model {

/// Switches, adapters, optics and cables of data/network/parts.json, and the vendors' scalable units of
/// data/network/units.json.
class NetworkCatalog {
 public:
  /// Throws InputError (content) with file and JSON pointer.
  NetworkCatalog(const DataFiles& files, const Sources& sources);

  /// By id. Throws InputError (usage) with the nearest ids.
  const NetworkPart& part(std::string_view id) const;
  const ScalableUnit& unit(std::string_view id) const;
  const std::vector<NetworkPart>& parts() const { return parts_; }
  const std::vector<ScalableUnit>& units() const { return units_; }

 private:
  void read_parts(const DataFiles& files, const Sources& sources);
  void read_units(const DataFiles& files, const Sources& sources);

  std::vector<NetworkPart> parts_;
  std::vector<ScalableUnit> units_;
};

}  // namespace roofplan::model
