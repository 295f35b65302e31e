#include "model/sizing/purchase_case.hpp"

#include "model/sizing/site_question.hpp"
#include "model/sizing/speed_question.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace roofplan::model {
namespace {

Scenario for_one_group(const Scenario& asked, const SizePlan& plan) {
  Scenario out = asked;
  out.system.ref = plan.system;
  out.system.count = plan.linked;
  out.system.gpus.reset();
  out.model.weights = plan.weights;
  if (out.engine.ref != plan.engine) out.engine.version.reset();
  out.engine.ref = plan.engine;
  out.load.concurrency = plan.requests_each;
  out.disagg = plan.pools;
  return out;
}

CostRequest cost_request(const Scenario& scenario, const SpeedData& data, const System& system,
                         const SizePlan& plan) {
  return {&scenario, &data, &system, plan.count, plan.linked, plan.power, plan.output};
}

/// The fewest accelerators of a plan's systems that serve the load: all of them, or where it is one system a
/// part of it, since accelerators are rented singly.
std::int64_t fewest_rented(const Scenario& asked, const SizePlan& plan, const SpeedData& data,
                           const ModelFile& model, const System& system) {
  if (plan.count > 1) return plan.gpus;
  for (std::int64_t n = 1; n < system.accelerators; n *= 2) {
    Scenario part = for_one_group(asked, plan);
    part.system.gpus = n;
    const SpeedAnswer answer = speed(SpeedQuestion(part, data, model.architecture, system).request());
    if (answer.fits && missed_targets(asked.targets, answer).empty()) return n;
  }
  return plan.gpus;
}

/// Every offer on demand for the system; the one that the scenario names, where it names one.
std::vector<std::string> rent_offers(const Scenario& asked, const PriceCatalog& prices,
                                     const System& system) {
  if (asked.money.cloud) return {*asked.money.cloud};
  std::vector<std::string> out;
  for (const Price::Per per : {Price::Per::accelerator_hour, Price::Per::instance_hour})
    for (const Price* price : prices.of_system(system.id, per))
      if (price->terms == "on-demand" || price->quoted) out.push_back(price->id);
  return out;
}

std::optional<RentedPlan> cheapest_rent(const Scenario& asked, const SizeAnswer& answer,
                                        const SpeedData& data, const ModelFile& model) {
  std::optional<RentedPlan> best;
  if (asked.limits.data_stays) return best;
  for (std::size_t i = 0; i < answer.plans.size() && answer.plans[i].feasible; ++i) {
    const SizePlan& plan = answer.plans[i];
    const System& system = data.catalog().systems().find(plan.system);
    const std::vector<std::string> offers = rent_offers(asked, data.catalog().prices(), system);
    if (offers.empty()) continue;
    Scenario scenario = asked;
    scenario.system.gpus = fewest_rented(asked, plan, data, model, system);
    for (const std::string& offer : offers) {
      scenario.money.cloud = offer;
      auto cost = rented_cost(cost_request(scenario, data, system, plan));
      if (!cost || (best && !(cost->total < best->cost.total))) continue;
      const std::int64_t gpus = cost->items.front().count;
      best = RentedPlan{system.id, gpus, std::move(*cost)};
    }
  }
  return best;
}

/// Totals of the same systems under a changed scenario.
class Swings {
 public:
  Swings(const SizeRequest& request, const SizeAnswer& answer, const SpeedData& data, const ModelFile& model)
      : request_(request), answer_(answer), data_(data), model_(model), plan_(answer.plans.front()) {}

  std::vector<CostSwing> all() const {
    const CostOption& cost = plan_.cost;
    const double years = request_.scenario.money.years, total = cost.total.amount();
    const double capital = cost.capital.amount();
    std::vector<CostSwing> out;
    const auto linear = [&](CostSwing::What what, double down, double up) {
      if (down != 0 || up != 0) out.push_back({what, total - down, total + up, 0, 0});
    };
    const double bought = capital * cost_per_capital(request_.scenario.money);
    linear(CostSwing::What::price, 0.2 * bought, 0.2 * bought);
    const double energy = cost.year.energy.amount() * years;
    linear(CostSwing::What::electricity, 0.5 * energy, 0.5 * energy);
    const double support = cost.year.support.amount() * years;
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
    const SizeAnswer then = size_plans({scenario, {plan_.engine}, false}, data_, model_);
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
    Load& load = changed.load;
    if (load.rps && !load.concurrency) {
      load.rps = *load.rps * factor;
    } else {
      load.concurrency =
          std::max<std::int64_t>(1, std::llround(static_cast<double>(load.open_requests()) * factor));
    }
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
  out.planned = for_one_group(request.scenario, out.plan);
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
    out.network = network_bill(cost_request(whole, data, *out.system, out.plan));
  } catch (const InputError&) {
    out.network.clear();
  }
  out.rented = cheapest_rent(request.scenario, answer, data, model);
  if (out.rented && out.plan.priced)
    out.break_even_months = break_even_months(out.plan.cost, out.rented->cost);
  if (out.plan.priced) out.swings = Swings(request, answer, data, model).all();
  return out;
}

}  // namespace roofplan::model
