#include "model/sizing/rent.hpp"

#include "model/sizing/growth.hpp"
#include "model/sizing/size_spares.hpp"
#include "model/sizing/speed_question.hpp"

#include <algorithm>
#include <cmath>

namespace roofplan::model {
namespace {

/// How many accelerators work from which month on. Spares come on top, in replicas of so many accelerators.
struct RentStage {
  std::int64_t month = 0, count = 1, gpus = 1, replica = 1;
};

/// The fewest accelerators that serve the requests of the plan times `growth` in a stage: all of the systems
/// that work, of a single one as many as do.
RentStage fewest_rented(const Scenario& asked, const SizePlan& plan, const SizeStage& stage, double growth,
                        const SpeedData& data, const ModelFile& model, const System& system) {
  const std::int64_t all = system.accelerators, working = stage.count - stage.spares;
  const auto replica = [&](std::int64_t gpus, const ParallelPlan& parallel) {
    return plan.pools ? gpus : parallel.devices_per_replica();
  };
  for (std::int64_t n = 1; working == 1 && n < all; n *= 2) {
    Scenario part = group_scenario(asked, plan);
    part.load.concurrency = std::llround(std::ceil(static_cast<double>(plan.requests_each) * growth));
    part.system.gpus = n;
    const SpeedAnswer answer = speed(SpeedQuestion(part, data, model.architecture, system).request());
    if (answer.fits &&
        missed_targets(asked.targets, held_latency(asked.targets, answer.state, Arrivals::closed)).empty())
      return {stage.month, stage.count, n, replica(n, answer.parallel)};
  }
  return {stage.month, stage.count, working * all, replica(plan.linked * all, plan.parallel)};
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

std::vector<RentStage> rent_stages(const Scenario& asked, const SizePlan& plan, const SpeedData& data,
                                   const ModelFile& model, const System& system) {
  if (plan.stages.empty())
    return {fewest_rented(asked, plan, {.count = plan.count, .spares = plan.spares}, 1, data, model, system)};
  std::vector<RentStage> out;
  for (const SizeStage& stage : plan.stages) {
    const double growth = stage.load_end / plan.stages.front().load;
    out.push_back(fewest_rented(asked, plan, stage, growth, data, model, system));
  }
  return out;
}

std::optional<RentedPlan> rent_at(const std::string& offer, const std::vector<RentStage>& stages,
                                  Scenario scenario, const SpeedData& data, const System& system,
                                  const SizePlan& plan) {
  scenario.money.cloud = offer;
  std::vector<StageCost> costs;
  const Price& price = data.catalog().prices().price(offer);
  const std::int64_t unit =
      price.per == Price::Per::instance_hour ? std::max<std::int64_t>(1, price.accelerators) : 1;
  for (const RentStage& stage : stages) {
    const auto spares = rented_spares(scenario, data, plan, stage.gpus, stage.replica, unit);
    if (!spares) return std::nullopt;
    scenario.system.gpus = stage.gpus + *spares;
    CostRequest request = plan_cost_request(scenario, data, system, plan);
    request.count = stage.count;
    auto cost = rented_cost(request);
    if (!cost) return std::nullopt;
    costs.push_back({stage.month, std::move(*cost)});
  }
  RentedPlan out{system.id, costs.front().cost.items.front().count, costs.back().cost.items.front().count,
                 costs.front().cost};
  if (costs.size() > 1) out.cost = joined_cost(costs, scenario, plan.output);
  return out;
}

}  // namespace

Scenario group_scenario(const Scenario& asked, const SizePlan& plan) {
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

CostRequest plan_cost_request(const Scenario& scenario, const SpeedData& data, const System& system,
                              const SizePlan& plan) {
  const std::int64_t joined = boxes_of_replica(plan.parallel, plan.pools.has_value(), plan.linked, system);
  return {&scenario, &data, &system, plan.count, joined, plan.power, plan.output};
}

std::optional<RentedPlan> cheapest_rent(const Scenario& asked, const std::vector<SizePlan>& plans,
                                        const SpeedData& data, const ModelFile& model) {
  std::optional<RentedPlan> best;
  if (asked.limits.data_stays) return best;
  for (const SizePlan& plan : plans) {
    if (!plan.serves) continue;
    const System& system = data.catalog().systems().find(plan.system);
    const std::vector<std::string> offers = rent_offers(asked, data.catalog().prices(), system);
    if (offers.empty()) continue;
    const std::vector<RentStage> stages = rent_stages(asked, plan, data, model, system);
    for (const std::string& offer : offers) {
      auto rent = rent_at(offer, stages, asked, data, system, plan);
      if (rent && (!best || rent->cost.total < best->cost.total)) best = std::move(rent);
    }
  }
  return best;
}

}  // namespace roofplan::model
