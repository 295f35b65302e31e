#include "model/serving/replica.hpp"

#include "model/serving/exchange_laws.hpp"
#include "model/serving/step_model_store.hpp"

#include <algorithm>

namespace roofplan::model {

namespace {

std::shared_ptr<const StepModel> build(const SpeedRequest& request, const WeightPlan& weights,
                                       const ParallelPlan& plan) {
  const FitRequest& fit = request.fit;
  const Chip& chip = fit.system->chip;
  StepSetup setup;
  setup.model = fit.model;
  setup.weights = &weights;
  setup.kv = &fit.formats->cache_format(deployment_settings(fit, plan).cache_format);
  setup.chip = &chip;
  setup.efficiency = &request.efficiencies->of(chip);
  setup.engine = request.engine;
  setup.time_factor = request.engine->version_factor(fit.engine->version);
  setup.laws = request.laws;
  setup.kernel_times = request.kernel_times;
  setup.shards = step_shards(plan);
  setup.exchanges =
      exchange_laws(request.path, request.all_reduce, plan, *request.engine->overheads.network_exchange);
  setup.chunk_tokens = fit.chunk_tokens;
  setup.routing_exponent = request.routing_exponent;
  if (request.power_cap)
    setup.clocks = clocks_under_cap(*request.power_cap->phases, request.power_cap->share);
  return std::make_shared<const StepModel>(setup);
}

std::shared_ptr<const StepModel> steps_of(const SpeedRequest& request, const WeightPlan& weights,
                                          const ParallelPlan& plan) {
  if (request.step_models == nullptr) return build(request, weights, plan);
  return request.step_models->find({request, plan}, [&] { return build(request, weights, plan); });
}

}  // namespace

Replica::Replica(const SpeedRequest& request, const WeightPlan& weights, const ParallelPlan& plan)
    : request_(&request), steps_(steps_of(request, weights, plan)) {}

ReplicaLoad Replica::load(double concurrency, double replicas, double running_limit) const {
  ReplicaLoad load;
  load.concurrency = std::max(1.0, concurrency / replicas);
  load.running_limit = running_limit / replicas;
  const auto prompt = static_cast<double>(request_->prompt);
  load.prompt_tokens = computed_prompt(*request_);
  load.cached_tokens = prompt - load.prompt_tokens;
  load.output_tokens = static_cast<double>(request_->output);
  load.depth = decode_context(*request_);
  const auto drafted = static_cast<double>(request_->draft_tokens);
  load.tokens_per_step = speculative_tokens(request_->acceptance, drafted);
  load.verified_tokens = drafted + 1;
  return load;
}

SteadyState Replica::run(const ReplicaLoad& load) const {
  return closed_loop(*steps_, *request_->engine, load);
}

double computed_prompt(const SpeedRequest& request) {
  const auto prompt = static_cast<double>(request.prompt);
  return std::max(std::min(prompt, 1.0), prompt * (1 - request.prefix_hit));
}

double decode_context(const SpeedRequest& request) {
  if (request.depth) return static_cast<double>(*request.depth);
  return static_cast<double>(request.prompt) + static_cast<double>(request.output) / 2;
}

}  // namespace roofplan::model
