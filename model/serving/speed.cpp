#include "model/serving/speed.hpp"

#include "model/serving/disaggregation.hpp"
#include "model/serving/exchange_laws.hpp"
#include "model/serving/replica.hpp"
#include "model/units/error.hpp"

#include <algorithm>

namespace roofplan::model {

namespace {

void require(bool ok, const char* what, const char* expected) {
  if (!ok) throw InputError(InputError::Kind::usage, what, expected);
}

void check(const SpeedRequest& r) {
  require(r.prompt >= 0, "the prompt is out of range", "0 tokens or more");
  require(r.output >= 1, "the output is out of range", "at least 1 token");
  require(!r.depth || *r.depth >= 0, "the depth is out of range", "0 tokens or more");
  require(r.prefix_hit >= 0 && r.prefix_hit <= 1, "the prefix hit share is out of range", "0 to 1");
  require(r.acceptance >= 0 && r.acceptance <= 1, "the acceptance is out of range", "0 to 1");
  require(r.draft_tokens >= 0, "the number of draft tokens is out of range", "0 or more");
  for (const std::int64_t n : r.nodes) require(n >= 1, "a number of nodes is out of range", "at least 1");
}

/// The request with its plan fixed, so that fit() answers for that very plan.
FitRequest with_plan(const SpeedRequest& request, const std::optional<ChosenPlan>& chosen) {
  FitRequest fit = request.fit;
  fit.context = longest_context(request);
  if (chosen) {
    fit.parallel.tp = chosen->plan.tp;
    fit.parallel.pp = chosen->plan.pp;
    fit.parallel.ep = chosen->plan.ep;
    fit.parallel.dp = chosen->plan.dp;
  }
  return fit;
}

/// Engines that pool the cache run fewer sequences than asked when it is too small; the others do not start.
bool runs(const FitAnswer& fit, const EngineMemory& engine) {
  return fit.fits || (fit.legal && fit.starts && engine.pools_cache && fit.max_concurrency >= 1);
}

/// A closed loop keeps every replica that has a request busy: with prefills, and decoding the rest of the
/// time.
PhaseShares shares_of(const SpeedAnswer& answer, const SpeedRequest& request) {
  const double prompts_s = answer.state.output / unit::tok_s / static_cast<double>(request.output);
  const double prefill = std::min(1.0, prompts_s * (answer.state.prefill / unit::s));
  const double active =
      std::min(1.0, static_cast<double>(request.fit.concurrency) / static_cast<double>(answer.replicas));
  return {prefill * active, (1 - prefill) * active};
}

/// As the search found it, where as many requests run at once.
SteadyState state_of(const Replica& replica, const ReplicaLoad& load,
                     const std::optional<ChosenPlan>& chosen) {
  return chosen && running(load) == running(chosen->load) ? chosen->state : replica.run(load);
}

void fill(SpeedAnswer& answer, const SpeedRequest& request, const std::optional<ChosenPlan>& chosen,
          const Replica& replica, double limit) {
  const auto concurrency = static_cast<double>(request.fit.concurrency);
  const auto replicas = static_cast<double>(answer.replicas);
  answer.state = state_of(replica, replica.load(concurrency, replicas, limit), chosen);
  answer.output = answer.state.output * std::min(concurrency, replicas);
  answer.busy = shares_of(answer, request);
  const ReplicaLoad load = replica.load(1, 1, limit);
  answer.request = replica.run(load).e2e;
  take_steps(answer, request, replica.steps(), replica.steps(), load);
  if (concurrency > limit) answer.decode_bound = Bound::capacity;
}

void scale(SpeedAnswer& answer, const SpeedRequest& request) {
  for (const std::int64_t nodes : request.nodes) {
    SpeedRequest more = request;
    more.nodes.clear();
    more.fit.count = nodes;
    more.fit.gpus.reset();
    more.fit.parallel.dp.reset();
    more.fit.concurrency = checked_mul(request.fit.concurrency, nodes);
    const SpeedAnswer at = speed(more);
    if (!at.fits) continue;
    answer.scaling.push_back({nodes, at.devices, at.output, 1});
  }
  if (answer.scaling.empty()) return;
  const ScalingPoint first = answer.scaling.front();
  for (ScalingPoint& p : answer.scaling)
    p.efficiency = p.output / first.output * static_cast<double>(first.nodes) / static_cast<double>(p.nodes);
}

void widen(ErrorRange& range, double factor) {
  range.low /= factor;
  range.high *= factor;
}

}  // namespace

EngineSpeed::Basis version_basis(const SpeedRequest& request) {
  return request.engine->basis(request.fit.system->chip, request.fit.engine->version);
}

void take_ranges(SpeedAnswer& answer, const SpeedRequest& request) {
  const std::string& engine = request.engine->id;
  const std::string subject = request.disaggregation ? ErrorRanges::pools_of(engine) : engine;
  const double unsaid = request.engine->version_spread(request.fit.engine->version);
  const auto range = [&](Estimate of) {
    return request.ranges->of(subject, of, answer.basis).widened(unsaid);
  };
  SpeedRanges& r = answer.ranges;
  r.token = range(answer.state.batch > 1 ? Estimate::token : Estimate::token_alone);
  r.of_machine = answer.basis == EngineSpeed::Basis::machine &&
                 request.ranges->find(ErrorRanges::kThisMachine, Estimate::token, answer.basis) != nullptr;
  r.first_token = range(Estimate::first_token);
  r.prefill = range(Estimate::prefill);
  if (request.power_cap) {
    for (ErrorRange* part : {&r.token, &r.first_token, &r.prefill})
      widen(*part, 1 + *request.power_cap->phases->cap.spread);
  }
  if (answer.state.tpot && answer.ceiling > TokensPerSecond())
    r.token.low = std::clamp(unit::token / (answer.ceiling * *answer.state.tpot), r.token.low, 1.0);
  const double first = answer.state.e2e > Seconds() ? answer.state.ttft / answer.state.e2e : 0.0;
  r.request = {first * r.first_token.low + (1 - first) * r.token.low,
               first * r.first_token.high + (1 - first) * r.token.high, r.token.n};
}

void take_steps(SpeedAnswer& answer, const SpeedRequest& request, const StepModel& prefill,
                const StepModel& decode, const ReplicaLoad& load) {
  const StepPoint point{answer.state.batch, load.verified_tokens, answer.state.context};
  answer.step = decode.time_of(Phase::decode, point);
  answer.decode_bound = answer.step.bound();
  answer.ceiling = decode.ceiling(answer.state.context) * load.tokens_per_step;
  if (load.prompt_tokens > 0) answer.prompt = prefill.prefill_time(load.prompt_tokens, load.cached_tokens);
  answer.prefill_bound = answer.prompt.bound();
  if (!request.breakdown) return;
  if (load.prompt_tokens > 0)
    answer.breakdown = prefill.prefill_breakdown(load.prompt_tokens, load.cached_tokens);
  const std::vector<OperatorShare> lines = decode.breakdown(Phase::decode, point);
  answer.breakdown.insert(answer.breakdown.end(), lines.begin(), lines.end());
}

void warn_of_version(SpeedAnswer& answer, const SpeedRequest& request) {
  const EngineSpeed& engine = *request.engine;
  const EngineProfile& asked = *request.fit.engine;
  if (engine.fitted_version(asked.version)) return;
  answer.warnings.push_back(Text("speed.version", {{"engine", asked.name},
                                                   {"version", asked.version},
                                                   {"oldest", engine.oldest},
                                                   {"newest", engine.newest}}));
}

void apply_power_cap(SpeedAnswer& answer, const SpeedRequest& request) {
  if (!request.power_cap) return;
  require(request.fit.system->chip.tdp.known(), "a power cap needs accelerators whose board power is known",
          "a system with a TDP, or no cap");
  const PhasePower& phases = *request.power_cap->phases;
  answer.clocks = clocks_under_cap(phases, request.power_cap->share);
  answer.warnings.emplace_back("power.cap_estimate");
}

std::int64_t longest_context(const SpeedRequest& request) {
  return std::max(checked_add(request.prompt, request.output), request.depth.value_or(0));
}

SpeedAnswer speed(const SpeedRequest& request) {
  check(request);
  if (request.disaggregation) return disaggregated_speed(request);
  const WeightPlan weights(*request.fit.formats, *request.fit.model, request.fit.weights);
  SpeedAnswer answer;
  std::optional<ChosenPlan> chosen = fastest_plan(request, weights);
  answer.fit = fit(with_plan(request, chosen));
  answer.fits = runs(answer.fit, request.fit.engine->memory);
  answer.parallel = answer.fit.parallel;
  answer.devices = answer.fit.devices;
  answer.replicas = answer.parallel.dp;
  answer.basis = version_basis(request);
  answer.reasons = answer.fit.reasons;
  answer.warnings = answer.fit.warnings;
  warn_of_version(answer, request);
  apply_power_cap(answer, request);
  if (!answer.fits) return answer;

  const double limit =
      running_limit(request.fit, std::max(answer.fit.max_concurrency, std::int64_t{1}), answer.replicas);
  if (chosen && chosen->plan != answer.parallel) chosen.reset();
  fill(answer, request, chosen, chosen ? chosen->replica : Replica(request, weights, answer.parallel), limit);
  if (static_cast<double>(request.fit.concurrency) > limit)
    answer.warnings.push_back(Text("speed.waiting", {{"running", static_cast<std::int64_t>(limit)},
                                                     {"asked", request.fit.concurrency}}));
  take_ranges(answer, request);
  scale(answer, request);
  return answer;
}

}  // namespace roofplan::model
