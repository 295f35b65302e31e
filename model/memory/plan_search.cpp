#include "model/memory/fit.hpp"
#include "model/units/error.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace roofplan::model {
namespace {

/// Tries plans in order and keeps the first that fits, else the one that misses least.
class PlanSearch {
 public:
  PlanSearch(const FitRequest& request, const WeightPlan& weights, std::int64_t context, std::int64_t devices)
      : request_(request), weights_(weights), context_(context), devices_(devices) {
    const std::int64_t domain = std::max<std::int64_t>(1, request.system->scale_up_size);
    most_tp_ = request.parallel.tp ? *request.parallel.tp : std::min(domain, devices_);
    if (!request.engine->memory.can_split("tp") && !request.parallel.tp) most_tp_ = 1;
  }

  ParallelPlan run(std::vector<Text>& faults) {
    const ParallelWish& wish = request_.parallel;
    const std::int64_t least_tp = wish.tp.value_or(std::min(wish.attention_dp, most_tp_));
    const std::int64_t most_pp =
        wish.pp.value_or(std::min(request_.model->layers(), devices_ / std::max<std::int64_t>(1, wish.cp)));
    const auto with = [&wish](std::int64_t tp, std::int64_t pp) {
      return ParallelPlan{.tp = tp, .pp = pp, .cp = wish.cp, .attention_dp = wish.attention_dp};
    };
    if (wish.pp.value_or(1) == 1)
      for (std::int64_t tp = least_tp; tp <= most_tp_ && !fits_; ++tp) try_plan(with(tp, 1));
    const std::int64_t alone = wish.pp || !best_ ? 0 : best_tp_;
    for (std::int64_t pp = std::max<std::int64_t>(2, wish.pp.value_or(2)); pp <= most_pp && !fits_; ++pp)
      for (std::int64_t tp = most_tp_; tp >= least_tp && !fits_; --tp)
        if (tp * pp > alone) try_plan(with(tp, pp));
    if (!best_) faults = explain();
    return best_.value_or(asked());
  }

 private:
  ParallelPlan completed(ParallelPlan plan) const {
    const ParallelWish& wish = request_.parallel;
    plan.ep = wish.ep ? *wish.ep : natural_ep(*request_.model, weights_, plan.tp);
    const std::int64_t room = devices_ / plan.devices_per_replica();
    const bool repeats = request_.engine->memory.can_split("dp");
    plan.dp = wish.dp ? *wish.dp : (repeats ? std::max<std::int64_t>(1, room) : 1);
    return plan;
  }

  void try_plan(ParallelPlan plan) {
    plan = completed(plan);
    if (plan.devices() > devices_) return;
    if (!plan_faults(*request_.model, weights_, request_.engine->memory, plan).empty()) return;
    const Deployment deployment(*request_.model, weights_, *request_.system, *request_.engine,
                                *request_.formats, deployment_settings(request_, plan));
    const DeviceMemory device = deployment.place(context_, request_.concurrency);
    best_tp_ = std::max(best_tp_, plan.tp);
    fits_ = device.fits() && deployment.start_shortfall(deployment.system_reserved()) == ByteCount();
    if (fits_ || !best_ || device.deficit < least_) {
      best_ = plan;
      least_ = device.deficit;
    }
  }

  ParallelPlan asked() const {
    const ParallelWish& wish = request_.parallel;
    return completed({.tp = wish.tp.value_or(1),
                      .pp = wish.pp.value_or(1),
                      .cp = wish.cp,
                      .attention_dp = wish.attention_dp});
  }

  std::vector<Text> explain() const {
    const ParallelPlan plan = asked();
    std::vector<Text> out = plan_faults(*request_.model, weights_, request_.engine->memory, plan);
    if (plan.devices() > devices_)
      out.push_back(Text("fit.too_few_devices", {{"needed", plan.devices()}, {"devices", devices_}}));
    std::string offers;
    for (std::int64_t tp : legal_tp(*request_.model, weights_, request_.engine->memory, devices_))
      offers += fmt::format("{}{}", offers.empty() ? "" : ", ", tp);
    if (!offers.empty()) out.push_back(Text("fit.legal_tp", {{"degrees", offers}}));
    return out;
  }

  const FitRequest& request_;
  const WeightPlan& weights_;
  std::int64_t context_, devices_, most_tp_ = 1;
  std::int64_t best_tp_ = 0;  ///< largest legal TP tried
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
  return request.gpus.value_or(all);
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
