#include "model/serving/disaggregation.hpp"

#include "model/llm/kv_cache.hpp"
#include "model/serving/exchange_laws.hpp"
#include "model/serving/replica.hpp"

#include <algorithm>
#include <cmath>

namespace roofplan::model {

namespace {

constexpr int kIterations = 200;

/// One pool: its plan, whether it fits, and a replica of it.
struct Pool {
  SpeedRequest request;
  std::int64_t workers = 1;
  FitAnswer fit;
};

Pool pool_of(const SpeedRequest& request, const WeightPlan& weights, const ParallelWish& wish,
             std::int64_t workers, bool prefill) {
  Pool pool;
  pool.request = request;
  pool.workers = workers;
  pool.request.disaggregation.reset();
  pool.request.nodes.clear();
  pool.request.may_wait = false;
  FitRequest& fit_request = pool.request.fit;
  fit_request.parallel = wish;
  fit_request.parallel.dp = workers;
  if (prefill) {
    // A prefill worker holds the prompts that it works on and no output.
    pool.request.output = 1;
    fit_request.concurrency = std::min(request.fit.concurrency, workers);
  }
  if (const auto chosen = fastest_plan(pool.request, weights)) {
    fit_request.parallel.tp = chosen->plan.tp;
    fit_request.parallel.pp = chosen->plan.pp;
    fit_request.parallel.ep = chosen->plan.ep;
  }
  fit_request.context = longest_context(pool.request);
  pool.fit = fit(fit_request);
  return pool;
}

Seconds transfer_time(const SpeedRequest& request, const ParallelPlan& prefill, const ParallelPlan& decode,
                      std::int64_t devices) {
  const std::int64_t lanes =
      std::max<std::int64_t>(1, std::min(prefill.devices_per_replica(), decode.devices_per_replica()));
  const Bytes each = cache_of_prompt(request).quantity() / static_cast<double>(lanes);
  return transfer_law(request.path, devices > request.path.domain_ranks)(each);
}

/// Prefill workers are busy while there are prompts, decode workers while anything decodes.
PhaseShares shares_of(const SpeedAnswer& answer, const SpeedRequest& request, std::int64_t prefill_devices,
                      std::int64_t decode_devices) {
  const auto workers = static_cast<double>(request.disaggregation->prefill_workers);
  const double prompts_s = answer.output / unit::tok_s / static_cast<double>(request.output);
  const double busy = std::min(1.0, prompts_s * (answer.state.prefill / unit::s) / workers);
  const auto devices = static_cast<double>(answer.devices);
  const double decoding =
      std::min(1.0, static_cast<double>(request.fit.concurrency) / static_cast<double>(answer.replicas));
  return {busy * static_cast<double>(prefill_devices) / devices,
          decoding * static_cast<double>(decode_devices) / devices};
}

}  // namespace

SteadyState pooled_loop(const WorkerPools& pools, const EngineSpeed& engine, const ReplicaLoad& load) {
  const double workers = pools.prefill_workers;
  const double prompt = std::max(1.0, load.prompt_tokens);
  const double wave = *engine.first_token.wave;
  SteadyState s;
  s.first.base = *engine.first_token.base / unit::s;
  s.first.tokenising = *engine.first_token.token / unit::s * (load.prompt_tokens + load.cached_tokens);
  s.context = load.depth.value_or(load.cached_tokens + load.prompt_tokens + load.output_tokens / 2);
  s.prefill = pools.prefill->prefill(prompt, load.cached_tokens);
  double queued = 0, decoding = 1, last_queued = -1, last_decoding = -1;
  for (int i = 0; i < kIterations && (queued != last_queued || decoding != last_decoding); ++i) {
    last_queued = queued;
    last_decoding = decoding;
    s.batch = std::max(1.0, decoding / pools.decode_workers);
    s.step = pools.decode->step(Phase::decode, {s.batch, load.verified_tokens, s.context});
    const double together = std::clamp((1 + queued) / workers, 1.0, std::max(1.0, pools.prompts_together));
    const Seconds service =
        together > 1 ? pools.prefill->prefill_step(together, prompt, load.cached_tokens) : s.prefill;
    const Seconds turn = service / (workers * together);
    const Seconds in_queue = turn * (1 + queued);
    const Seconds between = s.step / load.tokens_per_step;
    if (load.concurrency > 1) s.first.steps = *engine.first_token.steps * (s.step / unit::s);
    s.first.prompt = service / unit::s;
    s.first.ahead = turn * queued / unit::s;
    s.ttft = s.first.total() * unit::s;
    const Seconds decode = between * (load.output_tokens - 1);
    const Seconds free = load.concurrency / pools.decode_places * decode - s.ttft - pools.transfer - decode;
    s.waiting = std::max(Seconds(), free);
    s.e2e = s.ttft + pools.transfer + s.waiting + decode;
    if (load.output_tokens > 1) s.tpot = (s.e2e - s.ttft) / (load.output_tokens - 1);
    const double others = std::max(0.0, load.concurrency - 1);
    const double running = std::min(pools.decode_places, 1 + others * (decode / s.e2e));
    queued = (queued + others * std::max(wave, in_queue / s.e2e)) / 2;
    decoding = (decoding + running) / 2;
    s.others = others;
    s.ahead = others > 0 ? std::min(1.0, queued / others) : 0.0;
    s.ahead_each = turn;
  }
  s.output = load.concurrency * load.output_tokens * unit::token / s.e2e;
  return s;
}

ByteCount cache_of_prompt(const SpeedRequest& request) {
  const Architecture& model = *request.fit.model;
  const std::string cache = deployment_settings(request.fit, ParallelPlan()).cache_format;
  std::int64_t width = 0;
  for (const LayerGroup& g : model.groups)
    if (g.attention) width = std::max(width, g.attention->head_dim);
  const ElementSize element =
      cache_element(request.fit.formats->cache_format(cache), std::max<std::int64_t>(1, width));
  return kv_bytes(model, element, request.prompt, request.fit.hybrid_cache) +
         index_bytes(model, request.prompt) + state_bytes(model);
}

SpeedAnswer disaggregated_speed(const SpeedRequest& request) {
  const WeightPlan weights(*request.fit.formats, *request.fit.model, request.fit.weights);
  const DisaggregationWish& wish = *request.disaggregation;
  const Pool prefill = pool_of(request, weights, wish.prefill, wish.prefill_workers, true);
  const Pool decode = pool_of(request, weights, wish.decode, wish.decode_workers, false);
  SpeedAnswer answer;
  answer.fit = prefill.fit.fits ? decode.fit : prefill.fit;
  answer.parallel = decode.fit.parallel;
  answer.devices = prefill.fit.devices + decode.fit.devices;
  answer.replicas = wish.decode_workers;
  answer.basis = version_basis(request);
  answer.reasons = answer.fit.reasons;
  answer.warnings = answer.fit.warnings;
  warn_of_version(answer, request);
  apply_power_cap(answer, request);
  const std::int64_t available = available_devices(request.fit);
  const bool enough = answer.devices <= linked_devices(request.fit);
  if (answer.devices > available)
    answer.reasons.push_back(
        Text("fit.too_few_devices", {{"needed", answer.devices}, {"devices", available}}));
  else if (!enough)
    answer.reasons.push_back(too_few_linked(request.fit, answer.devices));
  answer.fits = prefill.fit.fits && decode.fit.fits && enough;
  if (!answer.fits) return answer;

  const Replica prefill_replica(prefill.request, weights, prefill.fit.parallel);
  const Replica decode_replica(request, weights, decode.fit.parallel);
  answer.cache_transfer = transfer_time(request, prefill.fit.parallel, decode.fit.parallel, answer.devices);
  const WorkerPools pools{&prefill_replica.steps(),
                          &decode_replica.steps(),
                          static_cast<double>(wish.prefill_workers),
                          static_cast<double>(wish.decode_workers),
                          answer.cache_transfer,
                          std::max(1.0, static_cast<double>(decode.fit.max_concurrency)),
                          prompts_in_a_step(prefill_replica.steps(), static_cast<double>(request.prompt))};
  const auto loop = [&](std::int64_t concurrency) {
    return pooled_loop(pools, *request.engine, decode_replica.load(static_cast<double>(concurrency), 1, 1));
  };
  answer.state = loop(request.fit.concurrency);
  answer.output = answer.state.output;
  answer.busy = shares_of(answer, request, prefill.fit.devices, decode.fit.devices);
  answer.request = loop(1).e2e;
  const ReplicaLoad load = decode_replica.load(1, 1, 1);
  take_steps(answer, request, prefill_replica.steps(), decode_replica.steps(), load);
  take_ranges(answer, request);
  return answer;
}

}  // namespace roofplan::model
