#pragma once

#include "model/fabric/fabric_plan.hpp"
#include "model/memory/fit.hpp"
#include "model/power/site.hpp"
#include "model/serving/speed.hpp"
#include "model/sizing/cost_question.hpp"
#include "model/sizing/size.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace roofplan::model {

/// What the total cost becomes when one assumption changes and all others stay.
struct CostSwing {
  /// price: of what is bought, -20 % to +20 %. electricity: half to one and a half times. support: half to
  /// twice its share. speed: the ends of the range that the estimate has. load: half to twice the requests.
  /// exchange: the rate 10 % lower and higher.
  enum class What { price, electricity, support, speed, load, exchange };

  What what = What::price;
  std::optional<double> low, high;  ///< total in the scenario's currency; nothing: no plan of these systems
  std::int64_t count_low = 0, count_high = 0;  ///< systems that it takes; 0: as planned
};

/// The first plan of an answer with all that a buyer asks next: memory, speed, site, network, renting, and
/// what moves the sum. Only for an answer whose first plan is feasible.
struct PurchaseCase {
  const System* system = nullptr;  ///< of the catalogue
  SizePlan plan;
  Scenario planned;                ///< the scenario with the plan's system, format and engine, for one group
  FitAnswer fit;                   ///< of one group at its share of the requests
  SpeedAnswer speed;               ///< the same
  std::optional<SiteAnswer> site;  ///< nothing where the system's power is unknown
  Text site_unknown;               ///< why
  std::vector<BillLine> network;   ///< that joins today's systems; empty for one system
  std::optional<RentedPlan> rented;         ///< of the answer
  std::optional<double> break_even_months;  ///< of the answer
  std::vector<CostSwing> swings;            ///< widest first; empty where the plan has no price
};

/// Looks into the first plan of `answer`, which answers `request`. Throws InputError as size_plans().
PurchaseCase purchase_case(const SizeRequest& request, const SizeAnswer& answer, const SpeedData& data,
                           const ModelFile& model);

}  // namespace roofplan::model
