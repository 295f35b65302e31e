#include "model/serving/steady_state.hpp"

#include <algorithm>
#include <cmath>

namespace roofplan::model {

namespace {

constexpr int kIterations = 200;
constexpr double kTolerance = 1e-9;

/// A decode step alone, and the time between two tokens with the prompts of others.
struct TokenTimes {
  Seconds step, between;
  double met = 0;  ///< share of the steps that meet prompts
  Seconds longer;  ///< what these take longer
};

/// The loop's fixed point in the mean time between tokens and the share of the cycle before the first token.
struct Cycle {
  double batch = 1;
  TokenTimes tokens;
  FirstTokenTime first;
  double total = 0;
};

double context_of(const ReplicaLoad& load) {
  return load.depth.value_or(load.cached_tokens + load.prompt_tokens + load.output_tokens / 2);
}

TokenTimes token_times(const StepModel& steps, const EngineSpeed& engine, const ReplicaLoad& load,
                       double batch) {
  const StepPoint decode{batch, load.verified_tokens, context_of(load)};
  const Seconds alone = steps.step(Phase::decode, decode);
  if (batch <= 1 || load.prompt_tokens <= 0) return {alone, alone / load.tokens_per_step, 0, {}};
  const double chunks = std::max(1.0, std::ceil(load.prompt_tokens / steps.chunk_tokens()));
  const double chunk = load.prompt_tokens / chunks;
  const double arrivals = (batch - 1) / load.output_tokens * load.tokens_per_step * chunks;
  const double met = -std::expm1(-arrivals);
  const StepPoint prompts{arrivals / met, chunk, load.cached_tokens + (load.prompt_tokens - chunk) / 2};
  const Seconds longer =
      engine.mixes_prefill ? steps.mixed_step(decode, prompts) - alone : steps.step(Phase::prefill, prompts);
  return {alone, (alone + met * longer) / load.tokens_per_step, met, longer};
}

}  // namespace

double running(const ReplicaLoad& load) {
  return std::min(load.concurrency, std::max(1.0, load.running_limit));
}

Seconds time_between_tokens(const StepModel& steps, const EngineSpeed& engine, const ReplicaLoad& load,
                            double batch) {
  return token_times(steps, engine, load, batch).between;
}

double prompts_in_a_step(const StepModel& prefill, double tokens) {
  const double ranks = static_cast<double>(prefill.shards().attention_dp);
  return ranks * std::max(1.0, std::floor(prefill.chunk_tokens() / std::max(1.0, tokens)));
}

PromptTimes prompt_times(const StepModel& steps, double prompt_tokens, double cached_tokens) {
  PromptTimes out;
  out.alone = out.queued = steps.prefill(prompt_tokens, cached_tokens);
  const double together = prompts_in_a_step(steps, prompt_tokens);
  if (together > 1 && prompt_tokens <= steps.chunk_tokens())
    out.queued = std::min(out.alone, steps.prefill_step(together, prompt_tokens, cached_tokens) / together);
  return out;
}

FirstTokenTime first_token_time(const FirstTokenParts& p, double first_s, double decode_s) {
  constexpr double kResidual = 0.5;
  const double cycle = first_s + decode_s;
  const double met = cycle > 0 ? std::min(1.0, p.others * p.queued_s / cycle) : 0.0;
  FirstTokenTime out;
  out.base = p.base_s;
  out.tokenising = p.token_s;
  out.steps = p.busy_s;
  out.prompt = p.alone_s;
  out.ahead = p.others * p.wave * (p.token_s + p.queued_s);
  out.under_way = kResidual * met * p.alone_s;
  out.crowding = std::max(0.0, (1 + p.others) * p.queued_s - decode_s - out.total());
  return out;
}

double first_token_seconds(const FirstTokenParts& parts, double first_s, double decode_s) {
  return first_token_time(parts, first_s, decode_s).total();
}

SteadyState closed_loop(const StepModel& steps, const EngineSpeed& engine, const ReplicaLoad& load) {
  const double at_once = running(load);
  const double others = std::max(0.0, at_once - 1);
  const double output = load.output_tokens;
  FirstTokenParts parts;
  parts.base_s = *engine.first_token.base / unit::s;
  parts.token_s = *engine.first_token.token / unit::s * (load.prompt_tokens + load.cached_tokens);
  parts.wave = *engine.first_token.wave;
  parts.others = others;
  if (load.prompt_tokens > 0) {
    const PromptTimes prompt = prompt_times(steps, load.prompt_tokens, load.cached_tokens);
    parts.alone_s = prompt.alone / unit::s;
    parts.queued_s = prompt.queued / unit::s;
  }
  const double outside = parts.base_s + parts.token_s;

  const auto next = [&](double batch, double last_first) {
    Cycle c;
    c.batch = batch;
    c.tokens = token_times(steps, engine, load, batch);
    parts.busy_s = others > 0 ? *engine.first_token.steps * (c.tokens.step / unit::s) : 0.0;
    const double decode = (output - 1) * (c.tokens.between / unit::s);
    c.first = first_token_time(parts, last_first, decode);
    c.total = c.first.total() + decode;
    return c;
  };
  Cycle cycle = next(at_once, outside + parts.alone_s);
  for (int i = 0; i < kIterations && others > 0; ++i) {
    const double waiting_share = std::clamp((cycle.first.total() - outside) / cycle.total, 0.0, 1.0);
    const double target = 1 + others * (1 - waiting_share);
    const double batch = (cycle.batch + target) / 2;
    const bool settled = std::abs(batch - cycle.batch) < kTolerance * batch;
    cycle = next(batch, cycle.first.total());
    if (settled) break;
  }

  SteadyState s;
  s.batch = cycle.batch;
  s.context = context_of(load);
  s.step = cycle.tokens.step;
  s.prefill = parts.alone_s * unit::s;
  s.waiting = cycle.total * (load.concurrency / at_once - 1) * unit::s;
  s.first = cycle.first;
  s.ttft = cycle.first.total() * unit::s + s.waiting;
  if (output > 1) s.tpot = cycle.tokens.between;
  s.e2e = cycle.total * unit::s + s.waiting;
  s.output = load.concurrency * output * unit::token / s.e2e;
  s.others = others;
  // All that others' prompts add, as so many of them.
  const double each = parts.token_s + parts.queued_s;
  const double added = cycle.first.total() - (outside + parts.busy_s + parts.alone_s);
  if (others > 0 && each > 0) s.ahead = std::clamp(added / (others * each), 0.0, 1.0);
  s.ahead_each = each * unit::s;
  s.met = cycle.tokens.met;
  s.met_longer = cycle.tokens.longer;
  s.decode_steps = (output - 1) / load.tokens_per_step;
  return s;
}

double speculative_tokens(double acceptance, double draft_tokens) {
  if (draft_tokens <= 0) return 1;
  if (acceptance >= 1) return draft_tokens + 1;
  return (1 - std::pow(acceptance, draft_tokens + 1)) / (1 - acceptance);
}

}  // namespace roofplan::model
