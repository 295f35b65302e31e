#pragma once

#include "model/memory/parallel.hpp"

namespace roofplan::model {

/// Memory of one device beside weights and cache.
struct Workspace {
  ByteCount activation;  ///< the larger of one prefill chunk and of sampling
  ByteCount context;     ///< device context and kernels
  ByteCount libraries;
  ByteCount comm;    ///< buffers of the collectives
  ByteCount graphs;  ///< captured CUDA graphs
  ByteCount attention;
  ByteCount margin;

  /// All but the activation.
  ByteCount fixed() const { return context + libraries + comm + graphs + attention + margin; }
};

/// Settings that the engine is started with.
struct BatchLimits {
  std::int64_t chunk_tokens = 2048;  ///< of one prefill step
  std::int64_t max_batch = 1;        ///< sequences, of one attention group
};

/// Elements that one token of a chunk needs at once, in the widest layer, on one rank: attention holds q, k,
/// v and its output; a gated FFN the two halves and their product; routed experts that per chosen expert at
/// the width of one expert, or the expert's output where that is wider, never experts x width at once
/// (vLLM's fused experts, two buffers). Two copies of the residual stream besides.
std::int64_t activation_elements(const Architecture& model, const ParallelPlan& plan);

/// Activation peak of one device. Profiled engines: 16-bit activations of a chunk, or `logit_bytes` for each
/// logit of the batch, whichever is larger. Graph engines (llama.cpp): fp32, logits of a ubatch on the stage
/// with the head: ubatch x (vocabulary + hidden) x 4 B, 258.5 MiB for Llama 3 8B.
ByteCount activation_bytes(const Architecture& model, const ParallelPlan& plan, const EngineMemory& engine,
                           const BatchLimits& limits, bool has_head);

Workspace workspace(const Architecture& model, const ParallelPlan& plan, const EngineMemory& engine,
                    const BatchLimits& limits, bool has_head);

}  // namespace roofplan::model
