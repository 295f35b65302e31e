#include "model/sizing/purchase_case.hpp"

#include "model/sizing/rent.hpp"
#include "model/sizing/site_question.hpp"
#include "model/sizing/speed_question.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace roofplan::model {
namespace {

/// Totals of the same systems under a changed scenario.
class Swings {
 public:
  Swings(const SizeRequest& request, const SizeAnswer& answer, const SpeedData& data, const ModelFile& model)
      : request_(request), answer_(answer), data_(data), model_(model), plan_(answer.plans.front()) {}

  std::vector<CostSwing> all() const {
    const CostOption& cost = plan_.cost;
    const double total = cost.total.amount();
    std::vector<CostSwing> out;
    const auto linear = [&](CostSwing::What what, double down, double up) {
      if (down != 0 || up != 0) out.push_back({what, total - down, total + up, 0, 0});
    };
    const double bought = price_part(cost).amount();
    linear(CostSwing::What::price, 0.2 * bought, 0.2 * bought);
    const double energy = cost.whole.energy.amount();
    linear(CostSwing::What::electricity, 0.5 * energy, 0.5 * energy);
    const double support = cost.whole.support.amount();
    linear(CostSwing::What::support, 0.5 * support, support);
    if (foreign()) linear(CostSwing::What::exchange, 0.1 * bought, 0.1 * bought);
    out.push_back(load_swing());
    if (request_.scenario.targets.min_tok_s_per_user || request_.scenario.targets.max_ttft)
      out.push_back(speed_swing());
    const auto width = [](const CostSwing& s) {
      return s.high && s.low ? *s.high - *s.low : std::numeric_limits<double>::infinity();
    };
    std::stable_sort(out.begin(), out.end(),
                     [&](const CostSwing& a, const CostSwing& b) { return width(a) > width(b); });
    return out;
  }

 private:
  /// Prices are kept in the currency of their source.
  bool foreign() const {
    const auto& prices = data_.catalog().prices();
    return std::any_of(plan_.cost.items.begin(), plan_.cost.items.end(), [&](const CostItem& item) {
      return !item.quoted && prices.price(item.price).money().currency() != item.each.currency();
    });
  }

  /// Systems and total of the same kind that serve a changed scenario.
  std::optional<SizePlan> again(Scenario scenario) const {
    scenario.limits = {};
    scenario.limits.systems = {plan_.system};
    scenario.limits.data_stays = request_.scenario.limits.data_stays;
    scenario.model.weights = plan_.weights;
    const SizeAnswer then = size_plans({scenario, {plan_.engine}, false, false}, data_, model_);
    if (then.plans.empty() || !then.plans.front().feasible) return std::nullopt;
    return then.plans.front();
  }

  /// Systems of the same kind and their total.
  struct Outcome {
    std::optional<double> total;
    std::int64_t count = 0;
  };

  Outcome outcome(const Scenario& changed) const {
    const auto plan = again(changed);
    return plan ? Outcome{plan->cost.total.amount(), plan->count} : Outcome{};
  }

  static CostSwing between(CostSwing::What what, const Outcome& low, const Outcome& high) {
    return {what, low.total, high.total, low.count, high.count};
  }

  /// The answer has looked at half and twice the load already; where it found other systems these are asked
  /// for once more.
  Outcome under_load(const char* what, double factor) const {
    for (const SizeVariation& known : answer_.sensitivity)
      if (known.what == what && known.system == plan_.system && known.cost_total)
        return {known.cost_total, known.count};
    Scenario changed = request_.scenario;
    changed.load = changed.load.times(factor);
    return outcome(changed);
  }

  CostSwing load_swing() const {
    return between(CostSwing::What::load, under_load("load_half", 0.5), under_load("load_x2", 2));
  }

  /// Speeds that are off by the estimate's range are targets that are off by it the other way.
  CostSwing speed_swing() const {
    Scenario fast = request_.scenario, slow = request_.scenario;
    const SpeedRanges& r = plan_.ranges;
    const auto harder = [](Targets& targets, double token, double first_token) {
      if (targets.min_tok_s_per_user) targets.min_tok_s_per_user = *targets.min_tok_s_per_user * token;
      if (targets.max_ttft) targets.max_ttft = *targets.max_ttft / first_token;
    };
    harder(fast.targets, r.token.low, r.first_token.low);
    harder(slow.targets, r.token.high, r.first_token.high);
    return between(CostSwing::What::speed, outcome(fast), outcome(slow));
  }

  const SizeRequest& request_;
  const SizeAnswer& answer_;
  const SpeedData& data_;
  const ModelFile& model_;
  const SizePlan& plan_;
};

}  // namespace

PurchaseCase purchase_case(const SizeRequest& request, const SizeAnswer& answer, const SpeedData& data,
                           const ModelFile& model) {
  PurchaseCase out;
  out.plan = answer.plans.front();
  out.system = &data.catalog().systems().find(out.plan.system);
  out.planned = group_scenario(request.scenario, out.plan);
  FitQuestion fit_question(out.planned, data.catalog(), model.architecture, *out.system);
  out.fit = fit(fit_question.request());
  out.speed = speed(SpeedQuestion(out.planned, data, model.architecture, *out.system).request());
  SiteRequest site = site_request(request.scenario, *out.system, data.catalog());
  site.count = out.plan.count;
  site.gpus.reset();
  try {
    out.site = plan_site(*out.system, site);
  } catch (const InputError&) {
    out.site_unknown = Text("power.unknown", {{"system", out.system->id}});
  }
  Scenario whole = request.scenario;
  whole.system.gpus.reset();
  try {
    out.network = network_bill(plan_cost_request(whole, data, *out.system, out.plan));
  } catch (const InputError&) {
    out.network.clear();
  }
  out.rented = answer.rented;
  out.break_even_months = answer.break_even_months;
  if (out.plan.priced) out.swings = Swings(request, answer, data, model).all();
  return out;
}

}  // namespace roofplan::model
