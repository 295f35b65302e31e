#include "model/sizing/size.hpp"

#include "model/memory/fit_texts.hpp"
#include "model/sizing/growth.hpp"
#include "model/sizing/rent.hpp"
#include "model/sizing/size_judge.hpp"
#include "model/sizing/size_sensitivity.hpp"
#include "model/sizing/size_spares.hpp"

#include <algorithm>
#include <limits>

namespace roofplan::model {
namespace {

constexpr std::int64_t kLinked[] = {1, 2, 4, 8};

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

/// Of two plans alike in being feasible: what serves the load comes before what misses its targets.
bool is_nearer(const SizePlan& a, const SizePlan& b) {
  if (a.serves != b.serves) return a.serves;
  return a.misses.size() < b.misses.size() || ranks_before(a, b);
}

class Search {
 public:
  Search(const SizeRequest& request, const SpeedData& data, const ModelFile& model,
         SizeEvaluations& evaluations)
      : request_(request), data_(data), model_(model), evaluations_(evaluations) {}

  SizeAnswer run() {
    const Scenario& scenario = request_.scenario;
    out_.concurrency = scenario.load.by_rate() ? 0 : scenario.load.open_requests();
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
    std::optional<SizePlan> best;
    const EngineProfile engine = data_.catalog().engines().find(scenario.engine.ref);
    if (!runs_on(engine, system.chip)) {
      why = Text("size.engine_elsewhere", {{"engine", engine.name}, {"platform", platform_of(system.chip)}});
      return false;
    }
    for (const std::int64_t linked : kLinked) {
      if (linked > 1 && system.system_class == System::Class::rack) break;
      if (linked > most_linked(system).value_or(linked)) break;
      if (best && linked >= best->count_end()) break;
      std::optional<SizePlan> plan;
      try {
        plan = least_groups(scenario, data_, model_, system, linked, evaluations_, why);
      } catch (const InputError& error) {
        // A system that nothing links stands alone; one that no answer is known for is rejected with why.
        const bool no_cap = scenario.system.power_cap && !system.chip.tdp.known();
        if (linked == 1) why = no_cap ? Text("size.cannot_cap") : as_is(error.message());
        break;
      }
      if (!plan) continue;
      consider(scenario, *plan, best, nearest);
      for (const Scenario& pooled : with_pools(scenario, *plan, system)) {
        Text ignored;
        const auto apart = least_groups(pooled, data_, model_, system, linked, evaluations_, ignored);
        if (apart && apart->misses.empty() && (!plan->misses.empty() || apart->groups < plan->groups))
          consider(pooled, *apart, best, nearest);
      }
    }
    if (best) out_.plans.push_back(*best);
    return best.has_value();
  }

  void consider(const Scenario& scenario, SizePlan plan, std::optional<SizePlan>& best,
                std::optional<SizePlan>& nearest) {
    add_spares(scenario, data_, plan);
    if (plan.misses.empty()) add_stages(scenario, data_, model_, plan, evaluations_);
    judge_plan(scenario, data_, plan);
    std::optional<SizePlan>& kept = plan.feasible ? best : nearest;
    if (!kept || is_nearer(plan, *kept)) kept = std::move(plan);
  }

  /// The plan's replicas as separate pools, a quarter, half and three quarters of them for prefill. Only
  /// where a time to first token is asked for: without, requests that wait for prefill would count as served.
  /// Worth their router only where they save systems.
  static std::vector<Scenario> with_pools(const Scenario& scenario, const SizePlan& plan,
                                          const System& system) {
    const Targets& targets = scenario.targets;
    const bool serves_pools = scenario.engine.ref != "llama.cpp" && scenario.engine.ref != "ideal";
    if (plan.misses.empty() && plan.groups == 1) return {};
    if (scenario.disagg || !serves_pools || !targets.max_ttft) return {};
    const std::int64_t workers = plan.linked * system.accelerators / plan.parallel.devices_per_replica();
    std::vector<Scenario> out;
    std::int64_t last = 0;
    for (const std::int64_t quarter : {1, 2, 3}) {
      const std::int64_t prefill = workers * quarter / 4;
      if (prefill == last || prefill < 1 || prefill >= workers) continue;
      last = prefill;
      Scenario& pooled = out.emplace_back(scenario);
      const ParallelSettings split{plan.parallel.tp, plan.parallel.pp, plan.parallel.ep,
                                   std::nullopt,     plan.parallel.cp, plan.parallel.attention_dp};
      pooled.disagg = Disaggregation{{prefill, split}, {workers - prefill, split}};
    }
    return out;
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
  SizeEvaluations& evaluations_;
  SizeAnswer out_;
};

void add_rent(const Scenario& scenario, const SpeedData& data, const ModelFile& model, SizeAnswer& answer) {
  std::optional<RentedPlan> rent = cheapest_rent(scenario, answer.plans, data, model);
  if (!rent) return;
  const auto& budget = scenario.limits.budget;
  if (budget && rent->cost.total.amount() > *budget) {
    answer.rent_over_budget = std::move(rent);
    return;
  }
  answer.rented = std::move(rent);
  if (answer.can_buy() && answer.plans.front().priced)
    answer.break_even_months = break_even_months(answer.plans.front().cost, answer.rented->cost);
}

void check(const SizeRequest& request, const Catalog& catalog) {
  const auto refuse = [](const char* what, const char* expected) {
    throw InputError(InputError::Kind::usage, what, expected);
  };
  const Scenario& scenario = request.scenario;
  if (scenario.load.users.value_or(1) < 1) refuse("0 users ask for nothing", "at least 1 user");
  if (scenario.load.rps && !(*scenario.load.rps > PerSecond()))
    refuse("0 requests a second ask for nothing", "a rate above 0");
  const Targets& targets = scenario.targets;
  if (targets.min_tok_s_per_user && !(*targets.min_tok_s_per_user > TokensPerSecond()))
    refuse("0 tokens a second is no target", "a speed above 0, or none");
  if (targets.max_ttft && !(*targets.max_ttft > Seconds()))
    refuse("no answer begins after 0 seconds", "a time above 0, or none");
  if (scenario.limits.budget && !(*scenario.limits.budget > 0))
    refuse("a budget of 0 buys nothing", "an amount above 0, or none");
  if (scenario.limits.power && !(*scenario.limits.power > Watts()))
    refuse("a power limit of 0 W allows no system", "a power above 0 W");
  for (const std::string& format : scenario.limits.formats)
    if (format != "native" && catalog.formats().mix_if(format) == nullptr) catalog.formats().format(format);
  for (const std::string& engine : request.engines) catalog.engines().find(engine, "");
}

}  // namespace

SizeAnswer size_plans(const SizeRequest& request, const SpeedData& data, const ModelFile& model) {
  SizeEvaluations evaluations;
  return size_plans(request, data, model, evaluations);
}

SizeAnswer size_plans(const SizeRequest& request, const SpeedData& data, const ModelFile& model,
                      SizeEvaluations& evaluations) {
  check(request, data.catalog());
  SizeAnswer answer = Search(request, data, model, evaluations).run();
  answer.evaluations = evaluations.count();
  const Scenario& scenario = request.scenario;
  if (auto beyond = beyond_model(model.architecture, sequence_tokens(scenario.load)))
    answer.warnings.push_back(std::move(*beyond));
  if (scenario.targets.statistic != "mean")
    answer.warnings.push_back(Text("size.tail_law", {{"statistic", scenario.targets.statistic}}));
  if (scenario.targets.availability) {
    answer.warnings.push_back(failure_assumptions(scenario, data));
    const bool desktops = std::any_of(answer.plans.begin(), answer.plans.end(), [&](const SizePlan& plan) {
      return plan.feasible &&
             data.catalog().systems().find(plan.system).system_class == System::Class::desktop;
    });
    if (desktops) answer.warnings.push_back(desktop_assumptions(scenario, data));
  }
  if (request.rent) add_rent(scenario, data, model, answer);
  if (request.sensitivity && answer.can_buy()) add_sensitivity(request, data, model, answer, evaluations);
  answer.evaluations = evaluations.count();
  return answer;
}

}  // namespace roofplan::model
