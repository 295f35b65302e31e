#pragma once

#include "model/memory/parallel.hpp"

namespace roofplan::model {

/// Room that an engine sets aside for LoRA adapters on one device of `stage`: `slots` adapters of up to
/// `rank`, 16 bits, on every linear layer of attention and of dense and shared feed-forward parts. A matrix
/// of rows x cols takes rank x (rows + cols) elements; the factor along the divided side is divided by TP,
/// the other repeated (vLLM without fully sharded adapters).
ByteCount adapter_bytes(const Architecture& model, const Stage& stage, const ParallelPlan& plan,
                        std::int64_t slots, std::int64_t rank);

}  // namespace roofplan::model
