#pragma once

#include "model/llm/files/quant_config.hpp"
#include "model/llm/files/tensor_inventory.hpp"

#include <string>
#include <vector>

namespace roofplan::model {

/// Tells weights from their scales in a safetensors checkpoint and counts the logical parameters of packed
/// ones. On entry `parameters` is the number of stored elements and `format` that of the stored type. Read
/// off the tensors themselves, their neighbours' shapes first, `config` only where they leave it open:
///  - AWQ and GPTQ: `qweight` (32-bit words), `scales`, `qzeros`, `g_idx`;
///  - compressed-tensors: `weight_packed` with `weight_scale`, each tensor matched to the group whose bits
///  and
///    group size explain both shapes;
///  - Model Optimizer NVFP4: `weight` (bytes of two) with `weight_scale` a 16-block;
///  - MXFP4: `_blocks` and `_scales` (gpt-oss), or bytes with a scale a 32-block;
///  - MLX: `weight` (32-bit words) with `scales` and `biases`;
///  - bitsandbytes 4-bit: `weight` (bytes of two) with `weight.absmax`.
/// Scales, zero points and indices keep their bytes, get the format of their weight, and count no parameters.
/// Throws InputError (content) at `place` naming a packed tensor whose bits cannot be told.
void unpack_weights(std::vector<TensorEntry>& tensors, const QuantConfig& config, const std::string& place);

}  // namespace roofplan::model
