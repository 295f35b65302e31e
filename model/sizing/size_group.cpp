#include "model/sizing/size_group.hpp"

#include <algorithm>

namespace roofplan::model {
namespace {

/// What a group is asked, without how much and how well.
Scenario of_group(const Scenario& scenario, const System& system, std::int64_t linked) {
  Scenario one;
  one.model = scenario.model;
  one.system = scenario.system;
  one.system.ref = system.id;
  one.system.count = linked;
  one.system.gpus.reset();
  one.parallel = scenario.parallel;
  one.disagg = scenario.disagg;
  one.engine = scenario.engine;
  one.load = scenario.load;
  one.load.users.reset();
  one.load.concurrency.reset();
  one.load.rps.reset();
  one.load.active_share = Load().active_share;
  one.load.growth_per_month = 0;
  return one;
}

}  // namespace

GroupOutcome::GroupOutcome(const SpeedAnswer& answer, std::int64_t output_tokens)
    : runs(answer.fits && !(answer.state.waiting > Seconds())) {
  if (!answer.fits) return;
  completed = answer.output / (static_cast<double>(output_tokens) * unit::token);
  state = answer.state;
}

HeldLatency held_latency(const Targets& targets, const SteadyState& state, Arrivals arrivals) {
  HeldLatency out{state.ttft, state.tpot, state.waiting > Seconds()};
  if (const auto quantile = quantile_of(targets.statistic)) {
    const LatencyTail tail = latency_tail(state, *quantile, arrivals);
    out.ttft = tail.ttft;
    out.tpot = tail.tpot;
  }
  return out;
}

double speed_factor(const Targets& targets, const std::optional<Seconds>& tpot) {
  if (!targets.min_tok_s_per_user || !tpot) return 0;
  return *targets.min_tok_s_per_user * *tpot / unit::token;
}

double first_token_factor(const Targets& targets, Seconds ttft) {
  return targets.max_ttft ? ttft / *targets.max_ttft : 0;
}

SizeGroup::SizeGroup(const Scenario& scenario, const SpeedData& data, const ModelFile& model,
                     const System& system, StepModelStore& step_models, std::int64_t& evaluations)
    : data_(data), evaluations_(evaluations), question_(scenario, data, model.architecture, system) {
  SpeedRequest& request = question_.request();
  request.step_models = &step_models;
  request.may_wait = false;  // a plan in which requests wait is rejected
  request.breakdown = false;
  request.fit.suggest = false;
}

const SpeedAnswer& SizeGroup::at(std::int64_t requests) {
  const auto kept = answers_.find(requests);
  return kept != answers_.end() ? kept->second : answers_.emplace(requests, answer(requests)).first->second;
}

SpeedAnswer SizeGroup::answer(std::int64_t requests) {
  ++evaluations_;
  SpeedRequest& request = question_.request();
  request.fit.concurrency = requests;
  SpeedAnswer found = speed(request);
  outcomes_.insert_or_assign(requests, GroupOutcome(found, request.output));
  return found;
}

const GroupOutcome& SizeGroup::outcome(std::int64_t requests) {
  const auto kept = outcomes_.find(requests);
  if (kept != outcomes_.end()) return kept->second;
  answer(requests);
  return outcomes_.at(requests);
}

HeldLatency SizeGroup::held(const Targets& targets, Arrivals arrivals, std::int64_t requests) {
  HeldLatency out = held_latency(targets, outcome(requests).state, arrivals);
  const auto quantile = quantile_of(targets.statistic);
  if (arrivals == Arrivals::closed || !quantile) return out;
  const std::int64_t most = poisson_quantile(static_cast<double>(requests), *quantile);
  const GroupOutcome& busy = outcome(std::max<std::int64_t>(1, most));
  out.tpot = busy.state.tpot;
  out.waits = !busy.runs;
  return out;
}

bool SizeGroup::meets(const Targets& targets, Arrivals arrivals, std::int64_t requests) {
  if (!outcome(requests).runs) return false;
  const HeldLatency h = held(targets, arrivals, requests);
  return !h.waits && speed_factor(targets, h.tpot) <= 1 && first_token_factor(targets, h.ttft) <= 1;
}

std::int64_t SizeGroup::most_requests(const Targets& targets, Arrivals arrivals, std::int64_t from) {
  std::int64_t low = from, high = from * 2;
  while (high < kMostRequests && meets(targets, arrivals, high)) {
    low = high;
    high *= 2;
  }
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    (meets(targets, arrivals, middle) ? low : high) = middle;
  }
  return low;
}

std::optional<std::int64_t> SizeGroup::requests_for(PerSecond rate, std::int64_t most) {
  const auto enough = [&](std::int64_t requests) {
    const GroupOutcome& o = outcome(requests);
    return !o.runs || o.completed >= rate;
  };
  std::int64_t low = 0, high = 1;
  while (low < most && !enough(high) && high < kMostRequests) {
    low = high;
    high *= 2;
  }
  while (high - low > 1 && low < most) {
    const std::int64_t middle = low + (high - low) / 2;
    (enough(middle) ? high : low) = middle;
  }
  if (low >= most) return std::nullopt;
  return outcome(high).runs && outcome(high).completed >= rate ? std::optional(high) : std::nullopt;
}

LoadPower SizeGroup::power(const SpeedAnswer& answer) const {
  return load_power(question_.request(), answer, data_.catalog().phase_power());
}

SizeGroup& SizeEvaluations::group(const Scenario& scenario, const SpeedData& data, const ModelFile& model,
                                  const System& system, std::int64_t linked) {
  const Scenario asked = of_group(scenario, system, linked);
  auto& known = groups_[system.id];
  for (const auto& [of, group] : known)
    if (of == asked) return *group;
  auto group = std::make_unique<SizeGroup>(asked, data, model, system, step_models_, count_);
  return *known.emplace_back(asked, std::move(group)).second;
}

}  // namespace roofplan::model
