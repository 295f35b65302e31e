#include "model/sizing/size_judge.hpp"

#include "model/power/power_cap.hpp"
#include "model/power/site.hpp"
#include "model/sizing/growth.hpp"
#include "model/sizing/rent.hpp"
#include "model/sizing/site_question.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace roofplan::model {
namespace {

std::string availability_text(double share) {
  return fmt::format("{:.6g} %", 100 * share);
}

std::optional<Watts> times(const Figure<Watts>& each, std::int64_t count) {
  if (!each.known()) return std::nullopt;
  return *each * static_cast<double>(count);
}

/// Site and cost of a plan, and its limits.
class Judge {
 public:
  Judge(const Scenario& scenario, const SpeedData& data) : scenario_(scenario), data_(data) {}

  void judge(SizePlan& plan) const {
    const System& system = data_.catalog().systems().find(plan.system);
    add_power(system, plan);
    add_racks(system, plan);
    add_cost(system, plan);
    add_targets(plan);
    plan.serves = plan.misses.empty();
    hold_limits(system, plan);
    plan.feasible = plan.misses.empty();
  }

 private:
  void add_power(const System& system, SizePlan& plan) const {
    const auto& cap = scenario_.system.power_cap;
    const System capped = cap ? with_power_cap(system, data_.catalog().phase_power(), *cap) : System();
    plan.power_typical = times((cap ? capped : system).power_typical, plan.count);
    plan.power_design = times((cap ? capped : system).power_design, plan.count);
  }

  void add_racks(const System& system, SizePlan& plan) const {
    if (system.rack_units.known()) plan.rack_units = *system.rack_units * static_cast<double>(plan.count);
    if (!system.power_typical.known()) return;
    SiteRequest site = site_request(scenario_, system, data_.catalog());
    site.count = plan.count;
    site.gpus.reset();
    const SiteAnswer answer = plan_site(system, site);
    if (answer.racks) plan.racks = answer.racks->racks;
    plan.floor_m2 = answer.floor_m2;
  }

  void add_cost(const System& system, SizePlan& plan) const {
    Scenario one = scenario_;
    one.system.gpus.reset();
    plan.cost = owned_cost(plan_cost_request(one, data_, system, plan));
    if (plan.stages.size() > 1) plan.cost = cost_of_stages(one, system, plan);
    const std::vector<std::string>& unpriced = plan.cost.unpriced;
    plan.priced =
        plan.cost.priced && std::find(unpriced.begin(), unpriced.end(), kHostOfCards) == unpriced.end();
  }

  /// Each stage at the mean power of a system that the first one has.
  CostOption cost_of_stages(const Scenario& scenario, const System& system, const SizePlan& plan) const {
    std::vector<StageCost> stages;
    for (const SizeStage& stage : plan.stages) {
      CostRequest request = plan_cost_request(scenario, data_, system, plan);
      request.count = stage.count;
      if (plan.power)
        request.compute_power =
            *plan.power * (static_cast<double>(stage.count) / static_cast<double>(plan.count));
      stages.push_back({stage.month, owned_cost(request)});
    }
    return joined_cost(stages, scenario, plan.output);
  }

  static void slack(SizePlan& plan, double relative) {
    plan.margin = std::min(plan.margin.value_or(std::numeric_limits<double>::infinity()), relative);
  }

  void add_targets(SizePlan& plan) const {
    const Targets& targets = scenario_.targets;
    if (targets.availability && plan.availability < *targets.availability)
      plan.misses.push_back(
          Text("size.not_available", {{"got", availability_text(plan.availability)},
                                      {"wanted", availability_text(*targets.availability)}}));
    if (targets.min_tok_s_per_user && plan.tok_s_held)
      slack(plan, *plan.tok_s_held / (*targets.min_tok_s_per_user / unit::tok_s) - 1);
    if (targets.max_ttft) slack(plan, 1 - plan.ttft_held / *targets.max_ttft);
  }

  /// Limits hold for the site as it is when all is added.
  void hold_limits(const System& system, SizePlan& plan) const {
    SizePlan end = plan;
    end.count = plan.count_end();
    if (end.count != plan.count) {
      add_power(system, end);
      add_racks(system, end);
    }
    plan.power_design_end = end.power_design;
    plan.racks_end = end.racks;
    add_limits(system, end);
    plan.margin = end.margin;
    plan.misses = end.misses;
  }

  void add_limits(const System& system, SizePlan& plan) const {
    const Limits& limits = scenario_.limits;
    if (limits.power) hold_power(*limits.power, plan);
    if (scenario_.site.rack_power && in_rack(system)) hold_rack_power(*scenario_.site.rack_power, plan);
    if (system.system_class != System::Class::desktop) {
      if (limits.racks) hold_racks(*limits.racks, plan);
      if (limits.floor_m2) hold_floor(*limits.floor_m2, plan);
    }
    if (limits.budget) hold_budget(*limits.budget, plan);
  }

  static void hold_power(Watts limit, SizePlan& plan) {
    if (!plan.power_design) {
      plan.misses.emplace_back("size.power_unknown");
      return;
    }
    slack(plan, 1 - *plan.power_design / limit);
    if (*plan.power_design > limit)
      plan.misses.push_back(
          Text("size.too_much_power", {{"got", to_text(*plan.power_design)},
                                       {"limit", to_text(limit)},
                                       {"by", whole_percent(*plan.power_design / limit - 1)}}));
  }

  static bool in_rack(const System& system) {
    return system.system_class == System::Class::node || system.system_class == System::Class::rack;
  }

  /// One system must stand in a rack.
  static void hold_rack_power(Watts limit, SizePlan& plan) {
    const auto& power = plan.power_design ? plan.power_design : plan.power_typical;
    if (!power) {
      plan.misses.emplace_back("size.power_unknown");
      return;
    }
    const Watts one = *power / static_cast<double>(plan.count);
    slack(plan, 1 - one / limit);
    if (one > limit)
      plan.misses.push_back(
          Text("size.rack_too_weak",
               {{"got", to_text(one)}, {"limit", to_text(limit)}, {"by", whole_percent(one / limit - 1)}}));
  }

  static void hold_racks(std::int64_t limit, SizePlan& plan) {
    if (!plan.racks) {
      plan.misses.emplace_back("size.racks_unknown");
      return;
    }
    slack(plan, 1 - static_cast<double>(*plan.racks) / static_cast<double>(limit));
    if (*plan.racks > limit)
      plan.misses.push_back(Text("size.too_many_racks", {{"got", *plan.racks}, {"limit", limit}}));
  }

  static void hold_floor(double limit, SizePlan& plan) {
    if (!plan.floor_m2) {
      plan.misses.emplace_back("size.racks_unknown");
      return;
    }
    slack(plan, 1 - *plan.floor_m2 / limit);
    if (*plan.floor_m2 > limit)
      plan.misses.push_back(Text("size.too_much_floor", {{"got", fmt::format("{:.3g}", *plan.floor_m2)},
                                                         {"limit", fmt::format("{:.3g}", limit)},
                                                         {"by", whole_percent(*plan.floor_m2 / limit - 1)}}));
  }

  static void hold_budget(double budget, SizePlan& plan) {
    if (!plan.priced) {
      plan.misses.emplace_back("size.no_price");
      return;
    }
    const double total = plan.cost.total.amount();
    slack(plan, 1 - total / budget);
    if (total > budget)
      plan.misses.push_back(Text("size.over_budget", {{"got", grouped(std::llround(total))},
                                                      {"limit", grouped(std::llround(budget))},
                                                      {"by", whole_percent(total / budget - 1)}}));
  }

  const Scenario& scenario_;
  const SpeedData& data_;
};

}  // namespace

std::string whole_percent(double share) {
  return fmt::format("{:.0f} %", 100 * share);
}

void judge_plan(const Scenario& scenario, const SpeedData& data, SizePlan& plan) {
  Judge(scenario, data).judge(plan);
}

}  // namespace roofplan::model
