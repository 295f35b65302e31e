#include "model/sizing/size.hpp"

#include "model/power/site.hpp"
#include "model/sizing/site_question.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace roofplan::model {
namespace {

constexpr std::int64_t kLinked[] = {1, 2, 4, 8};

std::string percent(double share) {
  return fmt::format("{:.0f} %", 100 * share);
}

std::optional<Watts> times(const Figure<Watts>& each, std::int64_t count) {
  if (!each.known()) return std::nullopt;
  return *each * static_cast<double>(count);
}

double total_of(const SizePlan& plan) {
  return plan.priced ? plan.cost.total.amount() : std::numeric_limits<double>::infinity();
}

double power_of(const SizePlan& plan) {
  const auto power = plan.power_typical ? plan.power_typical : plan.power;
  return power ? *power / unit::W : std::numeric_limits<double>::infinity();
}

bool ranks_before(const SizePlan& a, const SizePlan& b) {
  if (a.feasible != b.feasible) return a.feasible;
  if (total_of(a) != total_of(b)) return total_of(a) < total_of(b);
  if (power_of(a) != power_of(b)) return power_of(a) < power_of(b);
  return a.count < b.count;
}

/// Neither cost, power nor speed is worse, and one is better.
bool beats(const SizePlan& a, const SizePlan& b) {
  const double speed_a = a.tok_s_per_user.value_or(0), speed_b = b.tok_s_per_user.value_or(0);
  const bool no_worse = total_of(a) <= total_of(b) && power_of(a) <= power_of(b) && speed_a >= speed_b;
  return no_worse && (total_of(a) < total_of(b) || power_of(a) < power_of(b) || speed_a > speed_b);
}

/// Site and cost of a plan, and its limits.
class Judge {
 public:
  Judge(const Scenario& scenario, const SpeedData& data) : scenario_(scenario), data_(data) {}

  void judge(SizePlan& plan) const {
    const System& system = data_.catalog().systems().find(plan.system);
    plan.power_typical = times(system.power_typical, plan.count);
    plan.power_design = times(system.power_design, plan.count);
    add_racks(system, plan);
    add_cost(system, plan);
    add_targets(plan);
    add_limits(system, plan);
    plan.feasible = plan.misses.empty();
  }

 private:
  void add_racks(const System& system, SizePlan& plan) const {
    if (system.rack_units.known()) plan.rack_units = *system.rack_units * static_cast<double>(plan.count);
    if (!system.power_typical.known()) return;
    SiteRequest site = site_request(scenario_, system, data_.catalog().sites());
    site.count = plan.count;
    site.gpus.reset();
    const SiteAnswer answer = plan_site(system, site);
    if (answer.racks) plan.racks = answer.racks->racks;
  }

  void add_cost(const System& system, SizePlan& plan) const {
    Scenario one = scenario_;
    one.system.gpus.reset();
    CostRequest request{&one, &data_, &system, plan.count, plan.power, plan.output};
    plan.cost = owned_cost(request);
    const std::vector<std::string>& unpriced = plan.cost.unpriced;
    plan.priced =
        plan.cost.priced && std::find(unpriced.begin(), unpriced.end(), kHostOfCards) == unpriced.end();
  }

  static void slack(SizePlan& plan, double relative) {
    plan.margin = std::min(plan.margin.value_or(std::numeric_limits<double>::infinity()), relative);
  }

  void add_targets(SizePlan& plan) const {
    const Targets& targets = scenario_.targets;
    if (targets.min_tok_s_per_user && plan.tok_s_per_user)
      slack(plan, *plan.tok_s_per_user / (*targets.min_tok_s_per_user / unit::tok_s) - 1);
    if (targets.max_ttft) slack(plan, 1 - plan.ttft / *targets.max_ttft);
  }

  void add_limits(const System& system, SizePlan& plan) const {
    const Limits& limits = scenario_.limits;
    if (limits.power) hold_power(system, *limits.power, plan);
    if (limits.racks && system.system_class != System::Class::desktop) hold_racks(*limits.racks, plan);
    if (limits.budget) hold_budget(*limits.budget, plan);
  }

  static void hold_power(const System& system, Watts limit, SizePlan& plan) {
    if (!plan.power_design) {
      plan.misses.push_back(
          Text("size.power_unknown", {{"reason", as_is(system.power_design.unknown_reason)}}));
      return;
    }
    slack(plan, 1 - *plan.power_design / limit);
    if (*plan.power_design > limit)
      plan.misses.push_back(Text("size.too_much_power", {{"got", to_text(*plan.power_design)},
                                                         {"limit", to_text(limit)},
                                                         {"by", percent(*plan.power_design / limit - 1)}}));
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

  static void hold_budget(double budget, SizePlan& plan) {
    if (!plan.priced) {
      plan.misses.emplace_back("size.no_price");
      return;
    }
    const double total = plan.cost.total.amount();
    slack(plan, 1 - total / budget);
    if (total > budget)
      plan.misses.push_back(Text("size.over_budget", {{"got", fmt::format("{:.0f}", total)},
                                                      {"limit", fmt::format("{:.0f}", budget)},
                                                      {"by", percent(total / budget - 1)}}));
  }

  const Scenario& scenario_;
  const SpeedData& data_;
};

class Search {
 public:
  Search(const SizeRequest& request, const SpeedData& data, const ModelFile& model)
      : request_(request), data_(data), model_(model) {}

  SizeAnswer run() {
    const Scenario& scenario = request_.scenario;
    const bool by_rate = scenario.load.rps && !scenario.load.concurrency;
    out_.concurrency = by_rate ? 0 : scenario.load.open_requests();
    const auto& allowed = scenario.limits.systems;
    for (const std::string& id : allowed.empty() ? data_.catalog().systems().ids() : allowed)
      add_system(data_.catalog().systems().find(id));
    std::stable_sort(out_.plans.begin(), out_.plans.end(), ranks_before);
    add_pareto();
    return std::move(out_);
  }

 private:
  void add_system(const System& system) {
    const Scenario& scenario = request_.scenario;
    const auto& formats = scenario.limits.formats;
    std::optional<SizePlan> nearest;
    Text why;
    bool any = false;
    for (const std::string& engine :
         request_.engines.empty() ? std::vector{scenario.engine.ref} : request_.engines)
      for (const std::string& weights : formats.empty() ? std::vector{scenario.model.weights} : formats) {
        Scenario one = scenario;
        if (engine != one.engine.ref) one.engine.version.reset();
        one.engine.ref = engine;
        one.model.weights = weights;
        any = add_offer(one, system, nearest, why) || any;
      }
    if (any) return;
    if (nearest) {
      why = nearest->misses.front();
      out_.plans.push_back(*nearest);
    }
    out_.rejected.push_back({system.id, why});
  }

  /// The feasible plans of one format and engine; of linked counts those that no smaller one makes needless.
  bool add_offer(const Scenario& scenario, const System& system, std::optional<SizePlan>& nearest,
                 Text& why) {
    const Judge judge(scenario, data_);
    std::optional<SizePlan> best;
    for (const std::int64_t linked : kLinked) {
      if (linked > 1 && system.system_class == System::Class::rack) break;
      if (best && linked >= best->count) break;
      std::optional<SizePlan> plan;
      try {
        plan = least_groups(scenario, data_, model_, system, linked, out_.evaluations, why);
      } catch (const InputError& error) {
        // A system that nothing links stands alone; one that no answer is known for is rejected with why.
        if (linked == 1) why = as_is(error.message());
        break;
      }
      if (!plan) continue;
      judge.judge(*plan);
      std::optional<SizePlan>& kept = plan->feasible ? best : nearest;
      if (!kept || plan->misses.size() < kept->misses.size() || ranks_before(*plan, *kept)) kept = plan;
    }
    if (best) out_.plans.push_back(*best);
    return best.has_value();
  }

  void add_pareto() {
    for (std::size_t i = 0; i < out_.plans.size() && out_.plans[i].feasible; ++i) {
      const bool beaten = std::any_of(out_.plans.begin(), out_.plans.end(), [&](const SizePlan& other) {
        return other.feasible && beats(other, out_.plans[i]);
      });
      if (!beaten) out_.pareto.push_back(i);
    }
  }

  const SizeRequest& request_;
  const SpeedData& data_;
  const ModelFile& model_;
  SizeAnswer out_;
};

/// The decision again under a changed scenario, among the systems that could serve the load.
SizeVariation vary(const std::string& what, double factor, Scenario scenario, const SizeAnswer& answer,
                   const SizeRequest& request, const SpeedData& data, const ModelFile& model,
                   std::int64_t& evaluations) {
  scenario.limits.systems.clear();
  for (const SizePlan& plan : answer.plans) {
    auto& systems = scenario.limits.systems;
    if (std::find(systems.begin(), systems.end(), plan.system) == systems.end())
      systems.push_back(plan.system);
  }
  const SizeRequest changed{scenario, request.engines, false};
  const SizeAnswer then = Search(changed, data, model).run();
  evaluations += then.evaluations;
  SizeVariation out;
  out.what = what;
  out.factor = factor;
  const SizePlan& now = answer.plans.front();
  if (then.plans.empty() || !then.plans.front().feasible) {
    out.decision_changes = true;
    out.text = Text("size.varied_none", {{"what", Text("size.vary_" + what)}});
    return out;
  }
  const SizePlan& best = then.plans.front();
  out.system = best.system;
  out.count = best.count;
  if (best.priced) out.cost_total = best.cost.total.amount();
  out.decision_changes = best.system != now.system;
  out.text = Text("size.varied",
                  {{"what", Text("size.vary_" + what)}, {"count", best.count}, {"system", best.system}});
  return out;
}

/// The factor on the price of the best system at which the next becomes as cheap: the total is linear in the
/// capital, which is paid once and of which support takes its share every year.
void add_price_break_even(const Scenario& scenario, SizeAnswer& answer) {
  const SizePlan& best = answer.plans.front();
  const auto next = std::find_if(answer.plans.begin() + 1, answer.plans.end(), [&](const SizePlan& p) {
    return p.feasible && p.priced && p.system != best.system;
  });
  if (next == answer.plans.end() || !best.priced || best.cost.capital.amount() <= 0) return;
  const double per_capital = 1 + kSupportShare * scenario.money.years;
  SizeVariation out;
  out.what = "price_factor";
  out.factor =
      1 + (next->cost.total.amount() - best.cost.total.amount()) / (per_capital * best.cost.capital.amount());
  out.system = next->system;
  out.count = next->count;
  out.cost_total = next->cost.total.amount();
  out.decision_changes = out.factor <= 1.3;
  out.text =
      Text("size.price_break_even",
           {{"system", best.system}, {"next", next->system}, {"factor", fmt::format("{:.2f}", out.factor)}});
  answer.sensitivity.push_back(std::move(out));
}

void add_sensitivity(const SizeRequest& request, const SpeedData& data, const ModelFile& model,
                     SizeAnswer& answer) {
  const Scenario& scenario = request.scenario;
  const auto try_load = [&](const char* what, double factor) {
    Scenario changed = scenario;
    Load& load = changed.load;
    if (load.rps && !load.concurrency) {
      load.rps = *load.rps * factor;
    } else {
      load.concurrency = std::max<std::int64_t>(
          1, std::llround(static_cast<double>(scenario.load.open_requests()) * factor));
    }
    answer.sensitivity.push_back(
        vary(what, factor, changed, answer, request, data, model, answer.evaluations));
  };
  try_load("load_x2", 2);
  try_load("load_half", 0.5);
  if (scenario.targets.min_tok_s_per_user) {
    Scenario changed = scenario;
    changed.targets.min_tok_s_per_user = *changed.targets.min_tok_s_per_user * 1.5;
    answer.sensitivity.push_back(
        vary("tok_s_x1.5", 1.5, changed, answer, request, data, model, answer.evaluations));
  }
  add_price_break_even(scenario, answer);
}

/// How far the best plan carries a growing load.
void add_growth(const SizeRequest& request, const SpeedData& data, const ModelFile& model,
                SizeAnswer& answer) {
  if (answer.concurrency == 0) return;
  const SizePlan& best = answer.plans.front();
  Scenario scenario = request.scenario;
  scenario.model.weights = best.weights;
  scenario.engine.ref = best.engine;
  answer.lasts_concurrency = most_requests(scenario, data, model, best, answer.evaluations);
  const double growth = scenario.load.growth_per_month;
  const double room = *answer.lasts_concurrency / static_cast<double>(answer.concurrency);
  if (growth > 0 && room >= 1) answer.lasts_months = std::log(room) / std::log1p(growth);
}

}  // namespace

SizeAnswer size_plans(const SizeRequest& request, const SpeedData& data, const ModelFile& model) {
  SizeAnswer answer = Search(request, data, model).run();
  const Scenario& scenario = request.scenario;
  if (scenario.targets.statistic != "mean")
    answer.warnings.push_back(Text("size.means_only", {{"statistic", scenario.targets.statistic}}));
  if (scenario.targets.availability) answer.warnings.emplace_back("size.one_spare");
  if (answer.plans.empty() || !answer.plans.front().feasible || !request.sensitivity) return answer;
  add_growth(request, data, model, answer);
  add_sensitivity(request, data, model, answer);
  return answer;
}

}  // namespace roofplan::model
