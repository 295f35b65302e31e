#pragma once

#include "model/serving/speed.hpp"

#include <memory>
#include <optional>

namespace roofplan::model {

/// One deployment of a speed request, ready to be asked.
class Replica {
 public:
  Replica(const SpeedRequest& request, const WeightPlan& weights, const ParallelPlan& plan);

  const StepModel& steps() const { return *steps_; }
  /// The load of one replica when `concurrency` requests are shared out among `replicas`.
  ReplicaLoad load(double concurrency, double replicas, double running_limit) const;
  /// Steady state under a load.
  SteadyState run(const ReplicaLoad& load) const;

 private:
  const SpeedRequest* request_;
  std::shared_ptr<const StepModel> steps_;
};

/// A plan, its replica, and that under the load of the request.
struct ChosenPlan {
  ParallelPlan plan;
  Replica replica;
  ReplicaLoad load;
  SteadyState state;
};

/// Requests that all replicas together run at once: as many as they hold in memory and, where the request
/// limits the batch of one, that.
double running_limit(const FitRequest& fit, std::int64_t held, std::int64_t replicas);

/// The plan with the shortest mean time from arrival to last token, waiting for a place counted in; nothing
/// where none runs. Degrees that the request fixes stay; stages are tried only where requests wait without.
std::optional<ChosenPlan> fastest_plan(const SpeedRequest& request, const WeightPlan& weights);

/// Tokens of a prompt that are computed: those that the prefix cache does not hold, and its last in any case,
/// whose logits are the first token (vLLM, v1/core/kv_cache_manager.py; SGLang, managers/schedule_batch.py).
double computed_prompt(const SpeedRequest& request);

/// Context at which a decode step of this request is taken.
double decode_context(const SpeedRequest& request);

}  // namespace roofplan::model
