#pragma once

#include "model/serving/speed.hpp"

#include <memory>
#include <optional>

namespace roofplan::model {

/// One deployment of a speed request, ready to be asked.
class Replica {
 public:
  Replica(const SpeedRequest& request, const WeightPlan& weights, const ParallelPlan& plan);

  const StepModel& steps() const { return steps_; }
  /// The load of one replica when `concurrency` requests are shared out among `replicas`.
  ReplicaLoad load(double concurrency, double replicas, double running_limit) const;
  /// Steady state under that load.
  SteadyState run(double concurrency, double replicas, double running_limit) const;

 private:
  const SpeedRequest* request_;
  StepModel steps_;
};

/// Context at which a decode step of this request is taken.
double decode_context(const SpeedRequest& request);

}  // namespace roofplan::model
