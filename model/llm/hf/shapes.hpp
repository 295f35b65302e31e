#pragma once

#include "model/llm/architecture.hpp"
#include "model/llm/hf/layer_plan.hpp"

#include <cstdint>
#include <vector>

namespace roofplan::model::hf {

std::int64_t hidden_size(const Config& config);

/// Widths and biases of the attention of a layer so planned.
Attention attention_shape(const Config& config, const Family& family, const LayerPlan& plan);
/// Mamba-1, Mamba-2, gated delta net, KDA or short convolution, told by the keys.
Recurrent recurrent_shape(const Config& config);
DenseFfn dense_shape(const Config& config, const Family& family, const LayerPlan& plan);
MoeFfn moe_shape(const Config& config, const Family& family);

/// The whole layer, with its name and norms; count 0.
LayerGroup layer_shape(const Config& config, const Family& family, const LayerPlan& plan);

/// Layers of a network found by search, given one by one in block_configs (Llama-Nemotron).
std::vector<LayerGroup> searched_blocks(const Config& config);

/// Name of a layer by its parts, e.g. "window 128 attention + moe".
std::string group_name(const LayerGroup& group);

}  // namespace roofplan::model::hf
