#include "model/serving/steady_state.hpp"

#include <algorithm>
#include <cmath>

namespace roofplan::model {

namespace {

constexpr int kIterations = 200;
constexpr double kTolerance = 1e-9;

/// The loop's fixed point in the mean time between tokens and the share of the cycle before the first token.
struct Cycle {
  double batch = 1, step = 0, between = 0, first = 0, total = 0;
};

/// A decode step alone, and the time between two tokens with the prompts of others.
struct TokenTimes {
  Seconds step, between;
};

double context_of(const ReplicaLoad& load) {
  return load.depth.value_or(load.cached_tokens + load.prompt_tokens + load.output_tokens / 2);
}

TokenTimes token_times(const StepModel& steps, const EngineSpeed& engine, const ReplicaLoad& load,
                       double batch) {
  const DecodeParts decode = steps.decode_parts({batch, load.verified_tokens, context_of(load)});
  const Seconds alone = decode.whole;
  if (batch <= 1 || load.prompt_tokens <= 0) return {alone, alone / load.tokens_per_step};
  const double chunks = std::max(1.0, std::ceil(load.prompt_tokens / steps.chunk_tokens()));
  const double chunk = load.prompt_tokens / chunks;
  const double arrivals = (batch - 1) / load.output_tokens * load.tokens_per_step * chunks;
  const double met = -std::expm1(-arrivals);
  const Seconds together = steps.step(
      Phase::prefill, {arrivals / met, chunk, load.cached_tokens + (load.prompt_tokens - chunk) / 2});
  const Seconds covered = engine.mixes_prefill ? decode.shared : Seconds();
  return {alone, (alone + met * (std::max(together, covered) - covered)) / load.tokens_per_step};
}

}  // namespace

double running(const ReplicaLoad& load) {
  return std::min(load.concurrency, std::max(1.0, load.running_limit));
}

Seconds time_between_tokens(const StepModel& steps, const EngineSpeed& engine, const ReplicaLoad& load,
                            double batch) {
  return token_times(steps, engine, load, batch).between;
}

SteadyState closed_loop(const StepModel& steps, const EngineSpeed& engine, const ReplicaLoad& load) {
  const double at_once = running(load);
  const double others = std::max(0.0, at_once - 1);
  const double output = load.output_tokens;
  const double prefill =
      load.prompt_tokens > 0 ? steps.prefill(load.prompt_tokens, load.cached_tokens) / unit::s : 0.0;
  const double base = *engine.first_token.base / unit::s;
  const double wave = *engine.first_token.wave;

  const auto next = [&](double batch, double waiting_share) {
    Cycle c;
    c.batch = batch;
    const TokenTimes times = token_times(steps, engine, load, batch);
    c.step = times.step / unit::s;
    c.between = times.between / unit::s;
    const double busy_steps = others > 0 ? *engine.first_token.steps * c.step : 0.0;
    c.first = base + busy_steps + prefill * (1 + others * std::max(wave, waiting_share));
    c.total = c.first + (output - 1) * c.between;
    return c;
  };
  Cycle cycle = next(at_once, 0);
  for (int i = 0; i < kIterations && others > 0; ++i) {
    const double waiting_share = std::clamp((cycle.first - base) / cycle.total, 0.0, 1.0);
    const double target = 1 + others * (1 - waiting_share);
    const double batch = (cycle.batch + target) / 2;
    const bool settled = std::abs(batch - cycle.batch) < kTolerance * batch;
    cycle = next(batch, waiting_share);
    if (settled) break;
  }

  SteadyState s;
  s.batch = cycle.batch;
  s.context = context_of(load);
  s.step = cycle.step * unit::s;
  s.prefill = prefill * unit::s;
  s.waiting = cycle.total * (load.concurrency / at_once - 1) * unit::s;
  s.ttft = cycle.first * unit::s + s.waiting;
  if (output > 1) s.tpot = cycle.between * unit::s;
  s.e2e = cycle.total * unit::s + s.waiting;
  s.output = load.concurrency * output * unit::token / s.e2e;
  return s;
}

double speculative_tokens(double acceptance, double draft_tokens) {
  if (draft_tokens <= 0) return 1;
  if (acceptance >= 1) return draft_tokens + 1;
  return (1 - std::pow(acceptance, draft_tokens + 1)) / (1 - acceptance);
}

}  // namespace roofplan::model
