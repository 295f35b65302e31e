#pragma once

#include "model/memory/adapters.hpp"
#include "model/memory/cache_layout.hpp"
#include "model/memory/workspace.hpp"
#include "model/units/derivation.hpp"

#include <optional>
#include <string>
#include <vector>

namespace roofplan::model {

/// How a model is to be run; `auto` choices already made but for those that depend on the load.
struct DeploymentSettings {
  ParallelPlan plan;
  std::string cache_format = "bf16";
  bool hybrid_cache = true;
  std::optional<double> memory_fraction;     ///< of visible memory that the engine may take, 0..1
  std::optional<std::int64_t> max_batch;     ///< nothing: the engine's default, raised to the load
  std::optional<std::int64_t> chunk_tokens;  ///< nothing: the engine's default
  bool with_mtp = false;                     ///< load the MTP modules and keep their cache
  std::int64_t adapter_slots = 0;            ///< LoRA adapters held at once
  std::int64_t adapter_rank = 0;             ///< largest rank of an adapter
};

/// What occupies one device. visible = reserved + weights + cache + state + activation + workspace + free,
/// and where it does not fit free is zero and the deficit what is missing.
struct DeviceMemory {
  ByteCount visible;
  ByteCount system_reserved;  ///< what system and driver keep
  ByteCount reserved;         ///< that, and what the engine's fraction leaves aside
  ByteCount weights;          ///< with the room for adapters
  ByteCount cache, state;
  Workspace work;
  ByteCount free;
  ByteCount deficit;
  ByteCount cache_room;  ///< what is left for cache and state: zero where weights and peaks take all

  ByteCount activation() const { return work.activation; }
  ByteCount workspace() const { return work.fixed(); }
  bool fits() const { return deficit == ByteCount(); }
};

/// A model placed on devices of one kind by one engine. All questions about memory are asked of `place`, so
/// that an inverse question can have no formula of its own. Refers to its arguments, which must outlive it.
class Deployment {
 public:
  /// Throws InputError (usage) for a cache format or fraction that there is not. The plan must be legal
  /// (plan_faults).
  Deployment(const Architecture& model, const WeightPlan& weights, const System& system,
             const EngineProfile& engine, const FormatTable& formats, DeploymentSettings settings);

  /// The fullest device when `concurrency` sequences of `context` tokens are open at once. `reserved`:
  /// what the system keeps, instead of the catalogue's value. `weight_bytes`: weights per device instead
  /// of the model's own.
  DeviceMemory place(std::int64_t context, std::int64_t concurrency,
                     std::optional<ByteCount> reserved = std::nullopt,
                     std::optional<ByteCount> weight_bytes = std::nullopt,
                     Derivations* derivations = nullptr) const;

  const DeploymentSettings& settings() const { return settings_; }
  const EngineProfile& engine() const { return *engine_; }
  const std::vector<Stage>& stages() const { return stages_; }
  const CacheLayout& layout() const { return layout_; }
  BatchLimits limits(std::int64_t concurrency) const;
  /// The fraction in force: as asked, else the engine's own, lowered on unified memory to what the system
  /// leaves. 1 for engines without one.
  double fraction(ByteCount system_reserved) const;
  /// By how much the fraction in force exceeds what is free when the engine starts; then it refuses to.
  ByteCount start_shortfall(ByteCount system_reserved) const;
  ByteCount system_reserved() const { return system_reserved_; }
  ByteCount visible() const { return visible_; }
  /// Sequences of one attention group.
  std::int64_t group_share(std::int64_t concurrency) const;
  /// Cache and state on all devices, repeated parts counted as often as they are held.
  ByteCount all_cache(std::int64_t context, std::int64_t concurrency) const;

 private:
  DeviceMemory place_stage(std::size_t stage, std::int64_t context, std::int64_t sequences,
                           const BatchLimits& batch, ByteCount reserved,
                           std::optional<ByteCount> weight_bytes) const;
  ByteCount engine_reserve(const DeviceMemory& device, const BatchLimits& limits) const;
  void explain(const DeviceMemory& device, std::int64_t context, std::int64_t sequences,
               const BatchLimits& batch, Derivations& out) const;

  const Architecture* model_;
  const WeightPlan* weights_;
  const System* system_;
  const EngineProfile* engine_;
  DeploymentSettings settings_;
  std::vector<Stage> stages_;
  std::vector<ByteCount> stage_weights_;
  CacheLayout layout_;
  ByteCount visible_, system_reserved_;
};

}  // namespace roofplan::model
