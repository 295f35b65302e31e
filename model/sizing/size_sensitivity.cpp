#include "model/sizing/size_sensitivity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace roofplan::model {
namespace {

/// The decision again under a changed scenario, among the systems that could serve the load.
SizeVariation vary(const std::string& what, double factor, Scenario scenario, const SizeAnswer& answer,
                   const SizeRequest& request, const SpeedData& data, const ModelFile& model,
                   SizeEvaluations& evaluations) {
  scenario.limits.systems.clear();
  for (const SizePlan& plan : answer.plans) {
    auto& systems = scenario.limits.systems;
    if (std::find(systems.begin(), systems.end(), plan.system) == systems.end())
      systems.push_back(plan.system);
  }
  const SizeRequest changed{scenario, request.engines, false, false};
  const SizeAnswer then = size_plans(changed, data, model, evaluations);
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
void add_price_break_even(SizeAnswer& answer) {
  const SizePlan& best = answer.plans.front();
  const auto next = std::find_if(answer.plans.begin() + 1, answer.plans.end(), [&](const SizePlan& p) {
    return p.feasible && p.priced && p.system != best.system;
  });
  if (next == answer.plans.end() || !best.priced || best.cost.capital.amount() <= 0) return;
  SizeVariation out;
  out.what = "price_factor";
  out.factor = 1 + (next->cost.total.amount() - best.cost.total.amount()) / price_part(best.cost).amount();
  out.system = next->system;
  out.count = next->count;
  out.cost_total = next->cost.total.amount();
  out.decision_changes = out.factor <= 1.3;
  out.text =
      Text("size.price_break_even",
           {{"system", best.system}, {"next", next->system}, {"factor", fmt::format("{:.2f}", out.factor)}});
  answer.sensitivity.push_back(std::move(out));
}

/// How far the best plan carries a growing load.
void add_growth(const SizeRequest& request, const SpeedData& data, const ModelFile& model, SizeAnswer& answer,
                SizeEvaluations& evaluations) {
  if (answer.concurrency == 0) return;
  const SizePlan& best = answer.plans.front();
  Scenario scenario = request.scenario;
  scenario.model.weights = best.weights;
  scenario.engine.ref = best.engine;
  scenario.disagg = best.pools;
  answer.lasts_concurrency = most_requests(scenario, data, model, best, evaluations);
  const double growth = scenario.load.growth_per_month;
  const double room = *answer.lasts_concurrency / static_cast<double>(answer.concurrency);
  if (growth > 0 && room >= 1) answer.lasts_months = std::log(room) / std::log1p(growth);
}

}  // namespace

void add_sensitivity(const SizeRequest& request, const SpeedData& data, const ModelFile& model,
                     SizeAnswer& answer, SizeEvaluations& evaluations) {
  add_growth(request, data, model, answer, evaluations);
  const Scenario& scenario = request.scenario;
  const auto try_load = [&](const char* what, double factor) {
    Scenario changed = scenario;
    changed.load = changed.load.times(factor);
    answer.sensitivity.push_back(vary(what, factor, changed, answer, request, data, model, evaluations));
  };
  try_load("load_x2", 2);
  try_load("load_half", 0.5);
  if (scenario.targets.min_tok_s_per_user) {
    Scenario changed = scenario;
    changed.targets.min_tok_s_per_user = *changed.targets.min_tok_s_per_user * 1.5;
    answer.sensitivity.push_back(vary("tok_s_x1.5", 1.5, changed, answer, request, data, model, evaluations));
  }
  add_price_break_even(answer);
}

}  // namespace roofplan::model
