#include "model/memory/deployment.hpp"

#include "model/units/error.hpp"

#include <algorithm>
#include <cmath>

namespace roofplan::model {
namespace {

constexpr ByteCount kNone{};

ByteCount part(ByteCount bytes, double fraction) {
  return ByteCount(static_cast<std::int64_t>(std::floor(static_cast<double>(bytes.count()) * fraction)));
}

ByteCount positive(ByteCount bytes) {
  return std::max(bytes, kNone);
}

std::int64_t whole(const Figure<double>& figure) {
  return std::max<std::int64_t>(1, std::llround(*figure));
}

}  // namespace

Deployment::Deployment(const Architecture& model, const WeightPlan& weights, const System& system,
                       const EngineProfile& engine, const FormatTable& formats, DeploymentSettings settings)
    : model_(&model),
      weights_(&weights),
      system_(&system),
      engine_(&engine),
      settings_(std::move(settings)),
      stages_(pipeline_stages(model, settings_.plan.pp)) {
  const EngineMemory& memory = engine.memory;
  const std::optional<double>& asked = settings_.memory_fraction;
  if (asked && !(*asked > 0 && *asked <= 1))
    throw InputError(InputError::Kind::usage, "the memory fraction is out of range",
                     "more than 0, at most 1");
  if (!system.chip.memory_visible.known())
    throw InputError(InputError::Kind::usage, "the visible memory of " + system.name + " is unknown");
  visible_ = *system.chip.memory_visible;
  system_reserved_ = system.reserved.known() ? *system.reserved : *memory.hidden;
  stage_weights_ = stage_weights(
      model, weights, settings_.plan, stages_,
      {memory.loads_vision, settings_.with_mtp, memory.embedding_on_host && !system.unified_memory});
  for (std::size_t s = 0; s < stages_.size(); ++s)
    stage_weights_[s] +=
        adapter_bytes(model, stages_[s], settings_.plan, settings_.adapter_slots, settings_.adapter_rank);
  layout_.format = &formats.cache_format(settings_.cache_format);
  layout_.block_tokens = whole(memory.block_tokens);
  layout_.hybrid = settings_.hybrid_cache && memory.hybrid_cache;
  layout_.chunk_tokens =
      memory.compute_buffer == EngineMemory::ComputeBuffer::none ? 0 : limits(1).chunk_tokens;
}

std::int64_t Deployment::group_share(std::int64_t concurrency) const {
  return ceil_div(concurrency, settings_.plan.sequence_groups());
}

BatchLimits Deployment::limits(std::int64_t concurrency) const {
  const EngineMemory& memory = engine_->memory;
  BatchLimits out;
  out.chunk_tokens =
      settings_.chunk_tokens.value_or(whole(default_on(memory.chunk_tokens, memory, *system_)));
  out.max_batch = settings_.max_batch.value_or(
      std::max(whole(default_on(memory.max_batch, memory, *system_)), group_share(concurrency)));
  return out;
}

double Deployment::fraction(ByteCount system_reserved) const {
  const EngineMemory& memory = engine_->memory;
  if (settings_.memory_fraction) return *settings_.memory_fraction;
  if (!memory.fraction.known()) return 1.0;
  const double left = positive(visible_ - system_reserved).quantity() / visible_.quantity();
  const bool lowered = memory.budget == EngineMemory::Budget::fraction_of_visible && system_->unified_memory;
  return lowered ? std::min(*memory.fraction, left) : *memory.fraction;
}

ByteCount Deployment::start_shortfall(ByteCount system_reserved) const {
  if (engine_->memory.budget != EngineMemory::Budget::fraction_of_visible) return kNone;
  return positive(part(visible_, fraction(system_reserved)) - (visible_ - system_reserved));
}

ByteCount Deployment::engine_reserve(const DeviceMemory& device, const BatchLimits& limits) const {
  const EngineMemory& memory = engine_->memory;
  const double share = fraction(device.system_reserved);
  const ByteCount left = positive(device.visible - device.system_reserved);
  switch (memory.budget) {
    case EngineMemory::Budget::everything:
      return settings_.memory_fraction ? positive(left - part(device.visible, share)) : kNone;
    case EngineMemory::Budget::fraction_of_visible: {
      const ByteCount budget = std::min(left, part(device.visible, share));
      return left - budget;
    }
    case EngineMemory::Budget::static_fraction: {
      const StaticReserve& r = *memory.static_reserve;
      ByteCount aside = *r.constant + *r.per_chunk_token * std::max<std::int64_t>(2048, limits.chunk_tokens) +
                        *r.per_graph_sequence * limits.max_batch +
                        *r.per_rank * settings_.plan.devices_per_replica();
      if (device.visible >= *r.floor_from) aside = std::max(aside, *r.floor);
      if (settings_.memory_fraction) aside = left - part(left, share);
      return positive(aside - device.work.activation - device.work.graphs - device.work.attention);
    }
    case EngineMemory::Budget::fraction_of_free: {
      const ByteCount unused = positive(left - device.weights - device.work.activation - device.work.fixed());
      return unused - part(unused, share);
    }
  }
  return kNone;
}

DeviceMemory Deployment::place_stage(std::size_t index, std::int64_t context, std::int64_t sequences,
                                     const BatchLimits& batch, ByteCount reserved,
                                     std::optional<ByteCount> weight_bytes) const {
  const Stage& stage = stages_[index];
  const ParallelPlan& plan = settings_.plan;
  DeviceMemory device;
  device.visible = visible_;
  device.system_reserved = reserved;
  device.weights = weight_bytes.value_or(stage_weights_[index]);
  device.cache = sequence_cache(*model_, stage, plan, layout_, context) * sequences +
                 prefill_window(*model_, stage, plan, layout_, context);
  if (settings_.with_mtp && stage.has_head)
    device.cache += draft_cache(*model_, plan, layout_, context) * sequences;
  device.state = sequence_state(*model_, stage, plan) * sequences;
  device.work = workspace(*model_, plan, engine_->memory, batch, stage.has_head);
  if (!engine_->memory.graphs_in_budget) device.work.graphs = kNone;
  device.reserved = reserved + engine_reserve(device, batch);
  const ByteCount room =
      device.visible - device.reserved - device.weights - device.work.activation - device.work.fixed();
  device.cache_room = positive(room);
  device.free = positive(room - device.cache - device.state);
  device.deficit = positive(device.cache + device.state - room);
  return device;
}

DeviceMemory Deployment::place(std::int64_t context, std::int64_t concurrency,
                               std::optional<ByteCount> reserved, std::optional<ByteCount> weight_bytes,
                               Derivations* derivations) const {
  const ByteCount kept = reserved.value_or(system_reserved_);
  const std::int64_t sequences = group_share(concurrency);
  const BatchLimits batch = limits(concurrency);
  DeviceMemory fullest;
  for (std::size_t s = 0; s < stages_.size(); ++s) {
    const DeviceMemory device = place_stage(s, context, sequences, batch, kept, weight_bytes);
    const bool fuller =
        device.deficit > fullest.deficit || (device.deficit == fullest.deficit && device.free < fullest.free);
    if (s == 0 || fuller) fullest = device;
  }
  if (derivations != nullptr) explain(fullest, context, sequences, batch, *derivations);
  return fullest;
}

ByteCount Deployment::all_cache(std::int64_t context, std::int64_t concurrency) const {
  const ParallelPlan& plan = settings_.plan;
  ByteCount sum;
  for (const Stage& stage : stages_)
    sum += (sequence_cache(*model_, stage, plan, layout_, context) + sequence_state(*model_, stage, plan)) *
           checked_mul(plan.attention_tp() * plan.cp, concurrency);
  if (settings_.with_mtp)
    sum += draft_cache(*model_, plan, layout_, context) *
           checked_mul(plan.attention_tp() * plan.cp, concurrency);
  return sum;
}

}  // namespace roofplan::model
