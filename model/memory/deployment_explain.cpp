#include "model/memory/deployment.hpp"

#include <fmt/format.h>

namespace roofplan::model {
namespace {

template <class T>
const std::string& source_of(const Figure<T>& figure) {
  return figure.provenance.source;
}

Derivation explain_workspace(const EngineMemory& engine, const Workspace& work) {
  return {"per_device.workspace_bytes",
          "context + libraries + collectives + graphs + attention workspace + margin",
          {{"context", to_text(work.context), source_of(engine.context)},
           {"libraries", to_text(work.libraries), source_of(engine.libraries)},
           {"collectives", to_text(work.comm), source_of(engine.comm_per_rank)},
           {"graphs", to_text(work.graphs), source_of(engine.graph_bytes)},
           {"attention", to_text(work.attention), source_of(engine.attention_workspace)},
           {"margin", to_text(work.margin), source_of(engine.margin)}},
          to_text(work.fixed())};
}

std::string activation_formula(EngineMemory::ComputeBuffer kind) {
  switch (kind) {
    case EngineMemory::ComputeBuffer::none:
      return "none in this engine";
    case EngineMemory::ComputeBuffer::profiled:
      return "the larger of chunk x elements a token x 2 B and sequences x vocabulary x bytes a logit";
    case EngineMemory::ComputeBuffer::graph:
      return "ubatch x 4 B x the larger of vocabulary + hidden and the widest layer";
  }
  return {};
}

Derivation explain_free(const DeviceMemory& device) {
  return {"per_device.free_bytes",
          "visible - reserved - weights - cache - state - activation - workspace",
          {{"visible", to_text(device.visible), {}},
           {"reserved", to_text(device.reserved), {}},
           {"weights", to_text(device.weights), {}},
           {"cache", to_text(device.cache), {}},
           {"state", to_text(device.state), {}},
           {"activation", to_text(device.activation()), {}},
           {"workspace", to_text(device.workspace()), {}}},
          device.fits() ? to_text(device.free) : "-" + to_text(device.deficit)};
}

}  // namespace

void Deployment::explain(const DeviceMemory& device, std::int64_t context, std::int64_t sequences,
                         const BatchLimits& batch, Derivations& out) const {
  const EngineMemory& engine = engine_->memory;
  const bool stated = system_->reserved.known();
  out.push_back({"per_device.reserved_bytes",
                 "kept by system and driver + left aside by the engine",
                 {{"visible", to_text(device.visible), source_of(system_->chip.memory_visible)},
                  {"system", to_text(device.system_reserved),
                   stated ? source_of(system_->reserved) : source_of(engine.hidden)},
                  {"engine", to_text(device.reserved - device.system_reserved), source_of(engine.fraction)}},
                 to_text(device.reserved)});
  out.push_back({"per_device.kv_bytes",
                 "sequences x cache of one sequence on this device + window held while a chunk is prefilled",
                 {{"sequences", grouped(sequences), {}},
                  {"tokens", grouped(context), {}},
                  {"block", grouped(layout_.block_tokens) + " tokens", source_of(engine.block_tokens)},
                  {"format", layout_.format->id, source_of(layout_.format->bits_per_weight)}},
                 to_text(device.cache)});
  out.push_back(explain_workspace(engine, device.work));
  out.push_back(
      {"per_device.activation_bytes",
       activation_formula(engine.compute_buffer),
       {{"chunk", grouped(batch.chunk_tokens) + " tokens",
         source_of(default_on(engine.chunk_tokens, engine, *system_))},
        {"elements", grouped(activation_elements(*model_, settings_.plan)), {}},
        {"sequences", grouped(batch.max_batch), source_of(default_on(engine.max_batch, engine, *system_))},
        {"vocabulary", grouped(model_->vocab), {}},
        {"logit", fmt::format("{:g} B", *engine.logit_bytes), source_of(engine.logit_bytes)}},
       to_text(device.activation())});
  out.push_back(explain_free(device));
}

}  // namespace roofplan::model
