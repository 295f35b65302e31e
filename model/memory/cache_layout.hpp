#pragma once

#include "model/memory/parallel.hpp"

namespace roofplan::model {

/// How an engine lays a cache out.
struct CacheLayout {
  const NumberFormat* format = nullptr;
  std::int64_t block_tokens = 1;  ///< sequences take whole blocks
  bool hybrid = true;             ///< windowed layers keep their window only
  std::int64_t chunk_tokens = 0;  ///< further tokens that windowed layers hold while a chunk is prefilled
};

/// KV cache of one sequence of `tokens` tokens on one device of `stage`, indexer keys included. KV heads are
/// divided by TP and repeated beyond their number; a latent is whole on every rank; CP divides tokens.
/// Window of W tokens: ceil((W - 1) / block) + 1 blocks. Without `hybrid` every attention layer keeps all
/// tokens in pages of the largest layer.
ByteCount sequence_cache(const Architecture& model, const Stage& stage, const ParallelPlan& plan,
                         const CacheLayout& layout, std::int64_t tokens);

/// What the windowed layers of one device hold beyond their window while one sequence is prefilled.
ByteCount prefill_window(const Architecture& model, const Stage& stage, const ParallelPlan& plan,
                         const CacheLayout& layout, std::int64_t tokens);

/// Recurrent state of one sequence on one device of `stage`.
ByteCount sequence_state(const Architecture& model, const Stage& stage, const ParallelPlan& plan);

/// Cache of one sequence in the multi-token-prediction modules on one device: `mtp_layers` layers like the
/// last that attends, at the same context.
ByteCount draft_cache(const Architecture& model, const ParallelPlan& plan, const CacheLayout& layout,
                      std::int64_t tokens);

/// The whole model as one stage.
Stage whole_model(const Architecture& model);

}  // namespace roofplan::model
