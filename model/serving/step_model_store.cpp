#include "model/serving/step_model_store.hpp"

#include <mutex>

namespace roofplan::model {

namespace {

constexpr std::size_t kMostKept = 1000;

ParallelPlan one_replica(ParallelPlan plan) {
  plan.dp = 1;
  return plan;
}

}  // namespace

StepModelKey::StepModelKey(const SpeedRequest& request, const ParallelPlan& plan)
    : model(request.fit.model),
      system(request.fit.system),
      formats(request.fit.formats),
      engine(request.engine),
      efficiencies(request.efficiencies),
      laws(request.laws),
      kernel_times(request.kernel_times),
      phases(request.power_cap ? request.power_cap->phases : nullptr),
      weights(request.fit.weights),
      cache(request.fit.cache),
      replica(one_replica(plan)),
      chunk_tokens(request.fit.chunk_tokens),
      routing_exponent(request.routing_exponent),
      power_cap(request.power_cap ? request.power_cap->share : 1),
      time_factor(request.engine->version_factor(request.fit.engine->version)),
      path(request.path),
      all_reduce(request.all_reduce) {}

std::size_t StepModelStore::Hash::operator()(const StepModelKey& key) const {
  std::size_t hash = 0;
  const auto mix = [&hash](const auto& value) {
    hash = hash * 31 + std::hash<std::remove_cvref_t<decltype(value)>>()(value);
  };
  mix(key.model);
  mix(key.system);
  mix(key.engine);
  mix(key.weights);
  mix(key.cache);
  mix(key.replica.tp);
  mix(key.replica.pp);
  mix(key.replica.ep);
  mix(key.replica.attention_dp);
  mix(key.routing_exponent);
  mix(key.power_cap);
  mix(key.time_factor);
  return hash;
}

StepModelStore::Model StepModelStore::find(const StepModelKey& key, const std::function<Model()>& make) {
  {
    const std::shared_lock lock(mutex_);
    const auto kept = models_.find(key);
    if (kept != models_.end()) return kept->second;
  }
  Model made = make();
  const std::unique_lock lock(mutex_);
  if (models_.size() >= kMostKept) models_.clear();
  return models_.try_emplace(key, std::move(made)).first->second;
}

}  // namespace roofplan::model
