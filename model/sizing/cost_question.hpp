#pragma once

#include "model/catalog/scenario.hpp"
#include "model/cost/ownership.hpp"
#include "model/fabric/fabric_plan.hpp"
#include "model/memory/parallel.hpp"
#include "model/calibration/speed_data.hpp"
#include "model/units/text.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace roofplan::model {

/// Support, spares and operations of owned equipment, as a share of its capital a year. An estimate, a
/// planning rule of this tool, which every answer states; an offer replaces it.
inline constexpr double kSupportShare = 0.05;

/// How CostOption::unpriced names the computer that cards need. A quotation of a card is taken to hold it.
inline constexpr const char* kHostOfCards = "host of the cards";

/// What is to be paid for. Pointers are never null and outlive the call.
struct CostRequest {
  const Scenario* scenario = nullptr;  ///< system.gpus, site and money count
  const SpeedData* data = nullptr;
  const System* system = nullptr;
  std::int64_t count = 1;  ///< systems
  /// That one network of desktops joins: as many as hold one replica of the model (boxes_of_replica), since
  /// replicas exchange nothing. Nothing: no model says, and all are joined.
  std::optional<std::int64_t> linked;
  std::optional<Watts> compute_power;     ///< mean of all systems at the planned load; nothing: typical
  std::optional<TokensPerSecond> output;  ///< of the planned load, day and night; nothing: none planned
};

/// A part that has a price.
struct CostItem {
  std::string item;
  std::int64_t count = 0;
  Money each;  ///< in the currency of the answer
  std::string price, source, date;
  bool estimate = false, quoted = false;
};

/// One way to have the systems: owned or rented. Money in the scenario's currency, all systems together.
struct CostOption {
  std::string name;
  bool rented = false;
  bool priced = true;  ///< false: nothing is known of what the systems cost, and no sum is to be shown
  std::vector<CostItem> items;
  Money capital;              ///< paid at the start
  Money later;                ///< paid for what a growing load adds, in the month that it is added
  Money resale;               ///< got back at the end
  YearlyCost year;            ///< of owning, a whole year
  std::string tariff;         ///< id of the tariff that electricity is billed by; empty: none is billed
  double pue = 1;             ///< that the bill rests on
  YearlyCost whole;           ///< of owning, all years together
  Money paid_per_year;        ///< running cost of owning, or the rent; of a growing load in the first year
  Money paid_per_year_end;    ///< after the last addition
  std::vector<Money> months;  ///< paid in each month, additions with them; empty where no load grows
  std::vector<Money> yearly;  ///< paid in each year after the purchase; the last may be part of a year
  Money total;                ///< capital and all years, less resale
  Money present_value;        ///< the same, discounted
  std::optional<Money> per_mtok;      ///< a million output tokens of the planned load
  std::vector<std::string> unpriced;  ///< parts without price: every amount is a lower bound
  std::vector<Text> warnings;
};

/// Systems that one replica spans; of separate pools, all `systems` of them, since they hand caches over.
std::int64_t boxes_of_replica(const ParallelPlan& plan, bool pools, std::int64_t systems,
                              const System& system);

/// Renting what would serve a load: as many accelerators as an offer lets one rent.
struct RentedPlan {
  std::string system;
  std::int64_t gpus = 0, gpus_end = 0;  ///< at once, and in the last month
  CostOption cost;
};

/// Buying. Systems at the quotation, else the newest list price, else an estimate, else the price of their
/// accelerators; the network's bill where several systems are joined; electricity by the scenario's tariff,
/// else that of the country for the size of the load, on the facility's power; support, installation, room,
/// people, the host of cards and resale as the scenario states them (support else kSupportShare). Throws
/// InputError (usage) for a currency without a dated rate, unknown tariffs and countries.
CostOption owned_cost(const CostRequest& request);

/// Renting the same accelerators by the hour, day and night: the offer that the scenario names, else the
/// newest on-demand price of the system, by whole instances where it prices those. Nothing where there is
/// none or where data may not leave. Errors as owned_cost(), and usage for an unknown offer.
std::optional<CostOption> rented_cost(const CostRequest& request);

/// The part of the total that follows the prices of what is bought: all capital and its support over the
/// years, less resale.
Money price_part(const CostOption& owned);

/// The parts of the networks that join the systems, without prices: none for one system, for desktops that
/// are not linked and for cards. Throws InputError (usage) as plan_fabric().
std::vector<BillLine> network_bill(const CostRequest& request);

/// Months after which owning has cost less than renting; nothing when it never does. After the years of a
/// growing load both go on as in the last month.
std::optional<double> break_even_months(const CostOption& owned, const CostOption& rented);

}  // namespace roofplan::model
