#pragma once

#include "model/catalog/model_reference.hpp"
#include "model/serving/latency_tail.hpp"
#include "model/serving/step_model_store.hpp"
#include "model/sizing/load_power.hpp"
#include "model/sizing/speed_question.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace roofplan::model {

/// What of an answer targets and rates are held against.
struct GroupOutcome {
  GroupOutcome() = default;
  GroupOutcome(const SpeedAnswer& answer, std::int64_t output_tokens);

  bool runs = false;    ///< fits, and no request waits for a place
  PerSecond completed;  ///< requests
  SteadyState state;    ///< where it fits
};

/// What targets are held against: the means, or the quantile that they name.
struct HeldLatency {
  Seconds ttft;
  std::optional<Seconds> tpot;
  bool waits = false;  ///< requests wait for a place
};

/// The latencies of a state at the targets' statistic (latency_tail).
HeldLatency held_latency(const Targets& targets, const SteadyState& state, Arrivals arrivals);

/// What is asked over what is had, above 1 where the target is missed; 0 where there is none.
double speed_factor(const Targets& targets, const std::optional<Seconds>& tpot);
double first_token_factor(const Targets& targets, Seconds ttft);

/// One group of linked systems under any number of open requests. What it answered is kept.
class SizeGroup {
 public:
  /// Beyond so many open requests nothing is searched.
  static constexpr std::int64_t kMostRequests = 1 << 20;

  SizeGroup(const Scenario& scenario, const SpeedData& data, const ModelFile& model, const System& system,
            StepModelStore& step_models, std::int64_t& evaluations);

  /// The whole answer, kept as well.
  const SpeedAnswer& at(std::int64_t requests);
  const GroupOutcome& outcome(std::int64_t requests);
  /// What the targets are held against at so many requests, which must fit. Random arrivals make their number
  /// a Poisson variable: the time between tokens and the places are those at its quantile.
  HeldLatency held(const Targets& targets, Arrivals arrivals, std::int64_t requests);
  bool meets(const Targets& targets, Arrivals arrivals, std::int64_t requests);
  /// The most open requests within the targets, by bisection: at least `from`, below kMostRequests.
  std::int64_t most_requests(const Targets& targets, Arrivals arrivals, std::int64_t from);
  /// The least open requests at which the group completes `rate` requests a second (Little's law holds in the
  /// closed loop); nothing where it never does, or only with more than `most`.
  std::optional<std::int64_t> requests_for(PerSecond rate, std::int64_t most = kMostRequests);
  LoadPower power(const SpeedAnswer& answer) const;

 private:
  SpeedAnswer answer(std::int64_t requests);

  const SpeedData& data_;
  std::int64_t& evaluations_;
  SpeedQuestion question_;
  std::map<std::int64_t, GroupOutcome> outcomes_;
  std::map<std::int64_t, SpeedAnswer> answers_;
};

/// The groups that a search looked into, so that its repetitions under another load or other targets ask
/// nothing twice. Of one model.
class SizeEvaluations {
 public:
  /// The group of `linked` systems that serves what the scenario asks, whatever its amount and targets.
  SizeGroup& group(const Scenario& scenario, const SpeedData& data, const ModelFile& model,
                   const System& system, std::int64_t linked);
  /// Evaluations of the closed form so far.
  std::int64_t count() const { return count_; }

 private:
  std::int64_t count_ = 0;
  StepModelStore step_models_;
  std::map<std::string, std::vector<std::pair<Scenario, std::unique_ptr<SizeGroup>>>> groups_;
};

}  // namespace roofplan::model
