#include "model/memory/workspace.hpp"

#include <algorithm>

namespace roofplan::model {
namespace {

std::int64_t attention_elements(const Attention& a, std::int64_t tp) {
  const std::int64_t q = checked_mul(a.heads, a.head_dim);
  const std::int64_t out = checked_mul(a.heads, a.v_head_dim);
  if (a.kind != Attention::Kind::gqa) return ceil_div(q, tp) + ceil_div(2 * out + q, tp) + a.kv_lora_rank;
  const std::int64_t cached = checked_mul(rank_kv_heads(a.kv_heads, tp), a.head_dim + a.v_head_dim);
  return ceil_div((a.output_gate ? 2 : 1) * q, tp) + cached + ceil_div(out, tp);
}

std::int64_t recurrent_elements(const Recurrent& r, std::int64_t tp) {
  const std::int64_t mamba = std::max(checked_mul(r.heads, r.head_dim), r.inner);
  const std::int64_t values = checked_mul(r.value_heads, r.value_head_dim);
  const std::int64_t keys = checked_mul(r.key_heads, r.key_head_dim);
  return ceil_div(3 * mamba + 2 * r.groups * r.state_size + 2 * keys + 3 * values, tp);
}

std::int64_t ffn_elements(std::int64_t width, bool gated) {
  return (gated ? 3 : 2) * width;
}

std::int64_t expert_elements(const MoeFfn& f, std::int64_t hidden, const ParallelPlan& plan) {
  const std::int64_t width = ceil_div(f.intermediate, plan.expert_tp());
  const std::int64_t out = f.latent > 0 ? f.latent : hidden;
  const std::int64_t one = std::max((f.gated ? 2 : 1) * width, out) + width;
  const std::int64_t chosen = ceil_div(checked_mul(f.top_k, plan.attention_dp), plan.ep);
  return checked_mul(chosen, one) + ffn_elements(ceil_div(f.shared_intermediate, plan.tp), f.gated);
}

/// llama.cpp: residual twice and the widest product, in fp32.
std::int64_t graph_elements(const Architecture& model) {
  std::int64_t widest = 0;
  for (const LayerGroup& group : model.groups) {
    if (group.dense) widest = std::max(widest, group.dense->intermediate);
    if (group.moe) widest = std::max(widest, checked_mul(group.moe->top_k, group.moe->intermediate));
  }
  return 2 * model.hidden + widest;
}

ByteCount whole(double bytes) {
  return ceil_bytes(bytes * unit::B);
}

}  // namespace

std::int64_t activation_elements(const Architecture& model, const ParallelPlan& plan) {
  std::int64_t widest = 0;
  for (const LayerGroup& group : model.groups) {
    if (group.attention) widest = std::max(widest, attention_elements(*group.attention, plan.attention_tp()));
    if (group.recurrent) widest = std::max(widest, recurrent_elements(*group.recurrent, plan.attention_tp()));
    std::int64_t ffn = 0;
    if (group.dense) ffn += ffn_elements(ceil_div(group.dense->intermediate, plan.tp), group.dense->gated);
    if (group.moe) ffn += expert_elements(*group.moe, model.hidden, plan);
    widest = std::max(widest, ffn);
  }
  return 2 * model.hidden + widest;
}

ByteCount activation_bytes(const Architecture& model, const ParallelPlan& plan, const EngineMemory& engine,
                           const BatchLimits& limits, bool has_head) {
  const double logits = *engine.logit_bytes * static_cast<double>(model.vocab);
  switch (engine.compute_buffer) {
    case EngineMemory::ComputeBuffer::none:
      return {};
    case EngineMemory::ComputeBuffer::graph: {
      const std::int64_t last = has_head ? model.vocab + model.hidden : 0;
      const std::int64_t elements = std::max(last, graph_elements(model));
      return ByteCount(4) * checked_mul(limits.chunk_tokens, elements);
    }
    case EngineMemory::ComputeBuffer::profiled:
      break;
  }
  const ByteCount chunk = ByteCount(2) * checked_mul(limits.chunk_tokens, activation_elements(model, plan));
  const ByteCount sampling =
      has_head ? whole(static_cast<double>(std::min(limits.max_batch, limits.chunk_tokens)) * logits)
               : ByteCount();
  return std::max(chunk, sampling);
}

Workspace workspace(const Architecture& model, const ParallelPlan& plan, const EngineMemory& engine,
                    const BatchLimits& limits, bool has_head) {
  Workspace out;
  out.activation = activation_bytes(model, plan, engine, limits, has_head);
  out.context = *engine.context;
  out.libraries = *engine.libraries;
  const std::int64_t ranks = plan.devices_per_replica();
  if (ranks > 1) out.comm = *engine.comm_per_rank * ranks;
  const auto captured = std::min(limits.max_batch, static_cast<std::int64_t>(*engine.graph_max_batch));
  out.graphs = *engine.graph_bytes * captured;
  out.attention = *engine.attention_workspace;
  out.margin = *engine.margin;
  return out;
}

}  // namespace roofplan::model
