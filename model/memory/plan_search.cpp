#include "model/memory/fit.hpp"
#include "model/units/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace roofplan::model {
namespace {

/// Tries plans in order and keeps the first that fits, else the one that misses least.
class PlanSearch {
 public:
  PlanSearch(const FitRequest& request, const WeightPlan& weights, std::int64_t context, std::int64_t devices)
      : request_(request),
        weights_(weights),
        context_(context),
        devices_(devices),
        linked_(linked_devices(request)) {
    const ParallelWish& wish = request.parallel;
    const bool divides = request.engine->memory.can_split("tp");
    const std::int64_t domain = std::max<std::int64_t>(1, request.system->scale_up_size);
    const std::int64_t most = wish.tp.value_or(divides ? std::min(domain, devices) : 1);
    for (std::int64_t tp = wish.tp.value_or(1); tp <= most; ++tp) {
      const ParallelPlan plan = with(tp, wish.pp.value_or(1));
      if (plan_is_legal(*request.model, weights, request.engine->memory, plan)) legal_.push_back(plan);
    }
  }

  ParallelPlan run(std::vector<Text>& faults) {
    for (const ParallelPlan& plan : legal_) try_plan(plan);
    if (!request_.parallel.pp) try_stages();
    if (!best_) faults = explain();
    return best_.value_or(asked());
  }

 private:
  /// Stages across domains: the fewest, with the most TP beside them that the devices allow. Plans of no more
  /// devices than TP alone reached are left out.
  void try_stages() {
    if (!request_.engine->memory.can_split("pp")) return;
    const std::int64_t alone = best_ ? largest_tp_ : 0;
    const std::int64_t most = std::min(request_.model->layers(), devices_ / request_.parallel.cp);
    for (std::int64_t pp = 2; pp <= most && !fits_; ++pp)
      for (auto plan = legal_.rbegin(); plan != legal_.rend() && !fits_; ++plan)
        if (plan->tp * pp > alone) {
          ParallelPlan staged = *plan;
          staged.pp = pp;
          try_plan(staged);
        }
  }

  /// The degrees that the user fixes beside these.
  ParallelPlan with(std::int64_t tp, std::int64_t pp) const {
    const ParallelWish& wish = request_.parallel;
    ParallelPlan plan{.tp = tp, .pp = pp, .cp = wish.cp, .attention_dp = wish.attention_dp};
    plan.ep = wish.ep ? *wish.ep : natural_ep(*request_.model, weights_, tp);
    plan.dp = wish.dp.value_or(1);
    return plan;
  }

  void try_plan(ParallelPlan plan) {
    const bool repeats = request_.engine->memory.can_split("dp") && !request_.parallel.dp;
    if (fits_ || plan.devices() > devices_ || plan.devices_per_replica() > linked_) return;
    if (repeats) plan.dp = devices_ / plan.devices_per_replica();
    const Deployment deployment(*request_.model, weights_, *request_.system, *request_.engine,
                                *request_.formats, deployment_settings(request_, plan));
    const DeviceMemory device = deployment.place(context_, request_.concurrency);
    largest_tp_ = std::max(largest_tp_, plan.tp);
    fits_ = device.fits() && deployment.start_shortfall(deployment.system_reserved()) == ByteCount();
    if (fits_ || !best_ || device.deficit < least_) {
      best_ = plan;
      least_ = device.deficit;
    }
  }

  ParallelPlan asked() const {
    return with(request_.parallel.tp.value_or(1), request_.parallel.pp.value_or(1));
  }

  std::vector<Text> explain() const {
    const ParallelPlan plan = asked();
    std::vector<Text> out = plan_faults(*request_.model, weights_, request_.engine->memory, plan);
    if (plan.devices() > devices_)
      out.push_back(Text("fit.too_few_devices", {{"needed", plan.devices()}, {"devices", devices_}}));
    else if (plan.devices_per_replica() > linked_)
      out.push_back(too_few_linked(request_, plan.devices_per_replica()));
    std::string offers;
    for (std::int64_t tp : legal_tp(*request_.model, weights_, request_.engine->memory, linked_))
      offers += fmt::format("{}{}", offers.empty() ? "" : ", ", tp);
    if (!offers.empty()) out.push_back(Text("fit.legal_tp", {{"degrees", offers}}));
    return out;
  }

  const FitRequest& request_;
  const WeightPlan& weights_;
  std::int64_t context_, devices_, linked_;
  std::vector<ParallelPlan> legal_;  ///< by TP, in the fewest stages
  std::int64_t largest_tp_ = 0;      ///< tried
  std::optional<ParallelPlan> best_;
  ByteCount least_;
  bool fits_ = false;
};

void require(bool ok, const char* what, const char* expected) {
  if (!ok) throw InputError(InputError::Kind::usage, what, expected);
}

}  // namespace

std::int64_t available_devices(const FitRequest& request) {
  require(request.count >= 1, "the count of systems is out of range", "at least 1");
  require(!request.gpus || *request.gpus >= 1, "the number of accelerators is out of range", "at least 1");
  const std::int64_t all = checked_mul(request.count, request.system->accelerators);
  if (request.count > 1 && request.gpus.value_or(all) > all)
    throw InputError(InputError::Kind::usage,
                     fmt::format("{} accelerators are asked for, and {} x {} hold {}", *request.gpus,
                                 request.count, request.system->id, all),
                     "either a number of systems or of accelerators");
  return request.gpus.value_or(all);
}

std::optional<std::int64_t> most_linked(const System& system) {
  const auto figure = system.other.find("linked_most");
  if (figure == system.other.end() || !figure->second.known()) return std::nullopt;
  return std::llround(*figure->second);
}

std::int64_t linked_devices(const FitRequest& request) {
  const std::int64_t all = available_devices(request);
  const auto most = most_linked(*request.system);
  return most ? std::min(all, *most * request.system->accelerators) : all;
}

Text too_few_linked(const FitRequest& request, std::int64_t needed) {
  const System& system = *request.system;
  return Text("fit.too_few_linked", {{"needed", ceil_div(needed, system.accelerators)},
                                     {"system", system.id},
                                     {"most", most_linked(system).value_or(request.count)}});
}

DeploymentSettings deployment_settings(const FitRequest& request, const ParallelPlan& plan) {
  DeploymentSettings out;
  out.plan = plan;
  const std::string& native = request.model->native.kv;
  out.cache_format = request.cache != "native" ? request.cache : native.empty() ? "bf16" : native;
  out.hybrid_cache = request.hybrid_cache;
  out.memory_fraction = request.memory_fraction;
  out.max_batch = request.max_batch;
  out.chunk_tokens = request.chunk_tokens;
  out.with_mtp = request.with_mtp;
  out.adapter_slots = request.adapter_slots;
  out.adapter_rank = request.adapter_rank;
  return out;
}

ParallelPlan choose_plan(const FitRequest& request, const WeightPlan& weights, std::int64_t context,
                         std::vector<Text>& faults) {
  const ParallelWish& wish = request.parallel;
  for (const std::optional<std::int64_t>& degree : {wish.tp, wish.pp, wish.ep, wish.dp})
    require(!degree || *degree >= 1, "a degree of parallelism is out of range", "at least 1");
  require(wish.cp >= 1 && wish.attention_dp >= 1, "a degree of parallelism is out of range", "at least 1");
  return PlanSearch(request, weights, context, available_devices(request)).run(faults);
}

}  // namespace roofplan::model
