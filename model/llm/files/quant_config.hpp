#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace roofplan::model {

/// How one set of matrices is quantised.
struct QuantGroup {
  std::int64_t bits = 0;             ///< per weight; 0: not stated
  std::int64_t group_size = 0;       ///< weights that share a scale along a row; 0: a scale a row or a tensor
  std::string kind;                  ///< "int" or "float" where stated, or the mode ("mxfp4", "nvfp4")
  std::vector<std::string> targets;  ///< module names or patterns, as the file writes them
};

/// What a checkpoint says of its quantisation, in config.json (`quantization_config`, `compression_config`,
/// or MLX's `quantization`, also below `text_config` and the like) and in hf_quant_config.json.
struct QuantConfig {
  std::string
      method;  ///< "awq", "gptq", "compressed-tensors", "modelopt", "fp8", "mxfp4", "mlx", ...; may be empty
  std::string kv_format;  ///< format of the KV cache that the checkpoint asks for, e.g. "fp8"; may be empty
  std::vector<QuantGroup> groups;
  std::map<std::string, QuantGroup, std::less<>> by_module;  ///< MLX: exceptions by module name
};

/// From the text of a config.json. Throws InputError (content) for malformed JSON and for bits beyond 1
/// to 64.
QuantConfig parse_quant_config(std::string_view text, const std::string& file);

/// Adds what a hf_quant_config.json (NVIDIA Model Optimizer) says. Errors as above.
void add_hf_quant_config(QuantConfig& config, std::string_view text, const std::string& file);

}  // namespace roofplan::model
