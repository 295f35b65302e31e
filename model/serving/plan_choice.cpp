#include "model/serving/replica.hpp"

#include <algorithm>

namespace roofplan::model {

namespace {

/// Tries every degree that the request leaves open and keeps the plan with the shortest mean request, also of
/// those in which requests wait.
class FastestPlan {
 public:
  FastestPlan(const SpeedRequest& request, const WeightPlan& weights)
      : request_(request),
        weights_(weights),
        devices_(available_devices(request.fit)),
        linked_(linked_devices(request.fit)) {}

  std::optional<ChosenPlan> run() {
    const ParallelWish& wish = request_.fit.parallel;
    const std::vector<std::int64_t> tensor_degrees = degrees();
    for (const std::int64_t pp : stages()) {
      if (best_ && !(best_->state.waiting > Seconds())) break;  // stages are for what does not fit without
      for (const std::int64_t tp : tensor_degrees)
        for (const std::int64_t ep : expert_degrees(tp)) {
          ParallelPlan plan{.tp = tp, .pp = pp, .ep = ep, .cp = wish.cp, .attention_dp = wish.attention_dp};
          const std::int64_t room = devices_ / plan.devices_per_replica();
          if (room == 0 || plan.devices_per_replica() > linked_) continue;
          plan.dp = wish.dp.value_or(request_.fit.engine->memory.can_split("dp") ? room : 1);
          try_plan(plan);
        }
    }
    return std::move(best_);
  }

 private:
  std::vector<std::int64_t> degrees() const {
    const auto& fit = request_.fit;
    if (fit.parallel.tp) return {*fit.parallel.tp};
    if (!fit.engine->memory.can_split("tp")) return {1};
    // Inside one scale-up domain; where a domain is one accelerator, over the links between the boxes.
    const std::int64_t domain = fit.system->scale_up_size;
    return legal_tp(*fit.model, weights_, fit.engine->memory,
                    domain > 1 ? std::min(domain, devices_) : linked_);
  }

  std::vector<std::int64_t> stages() const {
    const auto& wish = request_.fit.parallel;
    if (wish.pp) return {*wish.pp};
    std::vector<std::int64_t> out{1};
    const std::int64_t most = std::min<std::int64_t>(devices_, request_.fit.model->layers());
    while (request_.fit.engine->memory.can_split("pp") && out.back() * 2 <= most)
      out.push_back(out.back() * 2);
    return out;
  }

  std::vector<std::int64_t> expert_degrees(std::int64_t tp) const {
    const auto& wish = request_.fit.parallel;
    if (wish.ep) return {*wish.ep};
    const auto& groups = request_.fit.model->groups;
    const bool routed =
        std::any_of(groups.begin(), groups.end(), [](const auto& g) { return g.moe.has_value(); });
    if (!routed || tp == 1 || !request_.fit.engine->memory.can_split("ep")) return {1};
    return {1, tp};
  }

  void try_plan(const ParallelPlan& plan) {
    const FitRequest& fit = request_.fit;
    if (plan.devices() > devices_ || !plan_is_legal(*fit.model, weights_, fit.engine->memory, plan)) return;
    const Deployment deployment(*fit.model, weights_, *fit.system, *fit.engine, *fit.formats,
                                deployment_settings(fit, plan));
    if (deployment.start_shortfall(deployment.system_reserved()) > ByteCount()) return;
    const double limit = running_limit(fit, held(deployment), plan.dp);
    if (limit < 1) return;
    Replica replica(request_, weights_, plan);
    const ReplicaLoad load =
        replica.load(static_cast<double>(fit.concurrency), static_cast<double>(plan.dp), limit);
    const SteadyState state = replica.run(load);
    if (!best_ || state.e2e < best_->state.e2e) best_ = ChosenPlan{plan, std::move(replica), load, state};
  }

  /// Requests that a deployment has memory for, at most those asked. Engines that pool the cache start with
  /// fewer.
  std::int64_t held(const Deployment& deployment) const {
    const std::int64_t asked = request_.fit.concurrency, context = longest_context(request_);
    if (deployment.place(context, asked).fits()) return asked;
    const bool may_wait = request_.may_wait && request_.fit.engine->memory.pools_cache;
    return may_wait ? most_sequences(deployment, context) : 0;
  }

  const SpeedRequest& request_;
  const WeightPlan& weights_;
  std::int64_t devices_, linked_;
  std::optional<ChosenPlan> best_;
};

}  // namespace

double running_limit(const FitRequest& fit, std::int64_t held, std::int64_t replicas) {
  return static_cast<double>(fit.max_batch ? std::min(held, *fit.max_batch * replicas) : held);
}

std::optional<ChosenPlan> fastest_plan(const SpeedRequest& request, const WeightPlan& weights) {
  return FastestPlan(request, weights).run();
}

}  // namespace roofplan::model
