#pragma once

#include "model/llm/architecture.hpp"
#include "model/llm/hf/config.hpp"
#include "model/llm/hf/side_modules.hpp"

#include <string>
#include <vector>

namespace roofplan::model::hf {

/// How the checkpoint stores each class of tensors: dtype, quantization_config (fp8, mxfp4,
/// compressed-tensors, modelopt, awq, gptq, bitsandbytes, MLX) and the ignore lists in it.
/// `sidecar` is a parsed hf_quant_config.json or null. Formats as in data/formats.json.
NativeFormat native_format(const Config& config, const JsonReader* sidecar, const Architecture& model,
                           std::vector<std::string>& notes);

/// Elements of the scale tensors that the Hub counts: one per block of 128 x 128 (fp8_block) or per 32
/// weights (int4_g32) of every quantised matrix, MTP layers included.
std::int64_t scale_elements(const Architecture& model, const MtpModule* mtp);

}  // namespace roofplan::model::hf
