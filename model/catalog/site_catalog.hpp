#pragma once

#include "model/catalog/data_files.hpp"
#include "model/catalog/sources.hpp"
#include "model/cost/tariff.hpp"
#include "model/power/circuit.hpp"

#include <optional>
#include <string_view>
#include <vector>

namespace roofplan::model {

/// Electricity tariffs and circuits of data/sites.
class SiteCatalog {
 public:
  /// Throws InputError (content) with file and JSON pointer.
  explicit SiteCatalog(const DataFiles& files);

  /// By id. Throws InputError (usage) with the nearest ids.
  const Tariff& tariff(std::string_view id) const;
  const Circuit& circuit(std::string_view id) const;
  /// The tariff planned with in a country where the user names none: the first of that country, of those that
  /// a load of that size may have. Throws InputError (usage) with the countries known, or with the largest
  /// contract where none covers the load.
  const Tariff& tariff_of_country(std::string_view country, std::optional<Watts> load = std::nullopt) const;
  /// Circuits of a country, or all for an empty one.
  std::vector<const Circuit*> circuits_of(std::string_view country) const;

  const std::vector<Tariff>& tariffs() const { return tariffs_; }

 private:
  std::vector<Tariff> tariffs_;
  std::vector<Circuit> circuits_;
};

}  // namespace roofplan::model
