#pragma once

#include "model/serving/speed.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <shared_mutex>
#include <string>
#include <unordered_map>

namespace roofplan::model {

/// All that a step model is built from.
struct StepModelKey {
  StepModelKey(const SpeedRequest& request, const ParallelPlan& plan);
  bool operator==(const StepModelKey&) const = default;

  const Architecture* model;
  const System* system;
  const FormatTable* formats;
  const EngineSpeed* engine;
  const EfficiencyCatalog* efficiencies;
  const KernelLaws* laws;
  KernelTimeStore* kernel_times;
  const PhasePower* phases;
  std::string weights, cache;
  ParallelPlan replica;  ///< the plan of one
  std::optional<std::int64_t> chunk_tokens;
  double routing_exponent, power_cap;
  double time_factor;  ///< of the engine's version
  FabricPath path;
  std::optional<EngineAllReduceLaw> all_reduce;
};

/// Step models kept from question to question: they do not depend on the load, so that a search or a sweep
/// builds each once. What keys point to must stay as it is while the store lives. Threads may ask at once;
/// a model follows from its key alone, so it is the same whoever builds it.
class StepModelStore {
 public:
  using Model = std::shared_ptr<const StepModel>;

  /// What is kept under `key`, else what `make` returns, kept too. Beyond 1,000 models it begins anew.
  Model find(const StepModelKey& key, const std::function<Model()>& make);

 private:
  struct Hash {
    std::size_t operator()(const StepModelKey& key) const;
  };

  std::shared_mutex mutex_;
  std::unordered_map<StepModelKey, Model, Hash> models_;
};

}  // namespace roofplan::model
