#pragma once

#include "model/catalog/model_reference.hpp"
#include "model/catalog/scenario.hpp"
#include "model/serving/speed.hpp"
#include "model/sizing/cost_question.hpp"
#include "model/sizing/size_group.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace roofplan::model {

/// What is to be bought. The scenario's model, load, targets, limits, site and money count; its system is
/// what the answer finds. `limits.systems` and `limits.formats` empty: the whole catalogue, `model.weights`.
struct SizeRequest {
  Scenario scenario;
  std::vector<std::string> engines;  ///< tried; empty: the scenario's
  bool sensitivity = true;           ///< also what would change the decision
  bool rent = true;                  ///< also what renting would cost
};

/// What a growing load needs from a month on, months counted from the purchase.
struct SizeStage {
  std::int64_t month = 0;
  std::int64_t count = 0;   ///< systems with spares
  std::int64_t spares = 0;  ///< of these
  double load = 0;          ///< open requests, or requests a second where a rate is planned, in that month
  double load_end = 0;      ///< in the last month before the next stage or the end of the years
};

/// One way to serve the load: `groups` groups of `linked` systems, each serving its share of the requests.
struct SizePlan {
  std::string system, engine, weights;
  std::int64_t linked = 1, groups = 1, spares = 0;     ///< spares: idle systems beyond what the load needs
  double availability = 1;                             ///< share of time that enough systems work
  double availability_low = 1, availability_high = 1;  ///< at the ends of the rate of failures
  std::int64_t count = 0, gpus = 0;                    ///< systems with spares, and their accelerators
  std::int64_t requests_each = 1;                      ///< open in the busiest group
  ParallelPlan parallel;                 ///< of one group; of a decode worker where there are pools
  std::optional<Disaggregation> pools;   ///< prefill and decode workers of one group
  std::optional<double> tok_s_per_user;  ///< nothing for answers of one token
  Seconds ttft;
  std::optional<double> tok_s_held;  ///< speed per user at the targets' statistic; means: tok_s_per_user
  Seconds ttft_held;                 ///< the same of the first token
  TokensPerSecond output;            ///< of all groups at the planned load
  SpeedRanges ranges;
  std::optional<Watts> power_typical, power_design;
  std::optional<Watts> power;  ///< drawn at the planned load, before PUE; spares idle
  std::optional<double> joule_per_token;
  std::optional<std::int64_t> racks;
  std::optional<double> rack_units;
  std::optional<double> floor_m2;  ///< of the racks with their aisles
  CostOption cost;
  std::vector<SizeStage> stages;  ///< today's and each addition over the years; empty where no load grows
  std::optional<Watts> power_design_end;  ///< of the last stage; limits are held against it
  std::optional<std::int64_t> racks_end;
  /// Systems of the last stage.
  std::int64_t count_end() const { return stages.empty() ? count : stages.back().count; }
  bool priced = false;           ///< the systems have a price, cards with a host; else no cost is stated
  std::optional<double> margin;  ///< smallest relative slack over targets and limits; nothing without any
  bool serves = false;           ///< meets the targets, whatever limits of buying it breaks
  bool feasible = false;         ///< meets targets and limits
  std::vector<Text> misses;      ///< targets and limits that it misses, and by how much
};

struct RejectedSystem {
  std::string system;
  Text reason;
};

/// The decision again with one thing changed.
struct SizeVariation {
  std::string what;  ///< "users_x2", "users_half", "tok_s_x1.5", "price_factor", "load"
  double factor = 1;
  std::string system;      ///< that is then best; empty: none meets the limits
  std::int64_t count = 0;  ///< of it
  std::optional<double> cost_total;
  bool decision_changes = false;  ///< another system
  Text text;
};

struct SizeAnswer {
  std::int64_t concurrency = 0;     ///< open requests that are planned for; 0: a rate is
  std::vector<SizePlan> plans;      ///< feasible first, then total cost (unpriced last), then power
  std::vector<std::size_t> pareto;  ///< feasible plans that none beats in cost, power and speed per user
  std::vector<RejectedSystem> rejected;
  std::vector<SizeVariation> sensitivity;
  std::optional<RentedPlan> rented;  ///< the cheapest rent of what serves the load, within the budget
  std::optional<RentedPlan> rent_over_budget;  ///< the same where it exceeds the budget
  std::optional<double> break_even_months;     ///< until the first plan has cost less than that
  std::optional<double> lasts_concurrency;     ///< the most open requests at which the best plan holds
  std::optional<double> lasts_months;          ///< until the load grows so far
  std::int64_t evaluations = 0;                ///< of the closed form
  std::vector<Text> warnings;
  /// Something may be bought within the targets and limits: the first plan.
  bool can_buy() const { return !plans.empty() && plans.front().feasible; }
};

/// Searches systems x linked counts (1, 2, 4, 8) x weight formats x engines, the parallel plan being the
/// fastest of each; the least number of groups that meets the targets is found by bisection, since a share
/// of fewer requests is never slower. An availability target adds the fewest spare groups that
/// reach it (see add_spares). Every open request must run, none may wait for a place. Targets for
/// a quantile are held against latency_tail(); at a rate, the time between tokens and the places against the
/// quantile of open requests. A load that grows adds systems over the years (add_stages): costs and limits
/// count them, speeds are those of today. Throws InputError (usage) for loads below 1, targets and limits of
/// 0, unknown names, currencies without a rate.
SizeAnswer size_plans(const SizeRequest& request, const SpeedData& data, const ModelFile& model);
/// The same beside earlier answers about that model, which what they found out speeds up.
SizeAnswer size_plans(const SizeRequest& request, const SpeedData& data, const ModelFile& model,
                      SizeEvaluations& evaluations);

/// The targets that are missed, and by how much; waiting for a place counts as one.
std::vector<Text> missed_targets(const Targets& targets, const HeldLatency& held);

/// What size_plans() finds for one offer of hardware. Nothing where the model does not fit, with the reason
/// in `why`. Without spares, site and cost.
std::optional<SizePlan> least_groups(const Scenario& scenario, const SpeedData& data, const ModelFile& model,
                                     const System& system, std::int64_t linked, SizeEvaluations& evaluations,
                                     Text& why);

/// The highest rate that one group of the plan completes within the targets.
PerSecond most_rate(const Scenario& scenario, const SpeedData& data, const ModelFile& model,
                    const SizePlan& plan, SizeEvaluations& evaluations);

/// The most open requests that `groups` groups of the plan serve within the targets; at least what they do.
double most_requests(const Scenario& scenario, const SpeedData& data, const ModelFile& model,
                     const SizePlan& plan, SizeEvaluations& evaluations);

}  // namespace roofplan::model
