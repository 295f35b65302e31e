#pragma once

#include "model/catalog/data_files.hpp"
#include "model/catalog/sources.hpp"
#include "model/cost/money.hpp"
#include "model/hardware/figure.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace roofplan::model {

/// A dated price, a default that the user's own quotation replaces.
struct Price {
  /// What the amount buys.
  enum class Per { system, accelerator, kit, part, site, instance_hour, accelerator_hour };

  std::string id;
  std::string name;
  std::string system;  ///< id in data/systems that it prices, or whose accelerator it rents; may be empty
  Per per = Per::system;
  std::int64_t accelerators = 0;  ///< of an instance or kit, 0 where it does not count them
  std::string provider;           ///< of a rented machine, else empty
  std::string terms;              ///< "list", "on-demand", "spot", "capacity-block", "contract", "estimate"
  bool quoted = false;            ///< from the user's own file
  bool stale = false;             ///< kept to recognise it elsewhere; never a default
  Figure<double> amount;          ///< its unit is the currency; the date stands in its provenance

  /// The amount as money; amount.known() must hold.
  Money money() const { return {*amount, Currency(amount.unit)}; }
};

/// Prices of data/prices, kept in the order of their files.
class PriceCatalog {
 public:
  /// Throws InputError (content) with file and JSON pointer.
  PriceCatalog(const DataFiles& files, const Sources& sources);

  const std::vector<Price>& all() const { return prices_; }
  /// By id. Throws InputError (usage) with the nearest ids.
  const Price& price(std::string_view id) const;
  /// The user's quotations; they take precedence over what is there for the same system or part.
  void quote(std::vector<Price> quotations);

  /// Known prices that are not stale of one system: quotations first, then the newest.
  std::vector<const Price*> of_system(std::string_view system, Price::Per per) const;

 private:
  std::vector<Price> prices_;
};

}  // namespace roofplan::model
