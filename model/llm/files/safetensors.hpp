#pragma once

#include "model/llm/files/quant_config.hpp"
#include "model/llm/files/tensor_inventory.hpp"

#include <optional>
#include <string>
#include <vector>

namespace roofplan::model {

/// The header of one safetensors file (format: README of huggingface/safetensors): a length of 8 bytes, then
/// JSON with type, shape and byte range of each tensor.
struct SafetensorsHeader {
  std::vector<TensorEntry> tensors;  ///< in the order of their data; `parameters` is the number of elements
  ByteCount file_bytes;
};

/// Reads the header of one file, not its tensor data. Throws InputError: missing when the file cannot be
/// read; content for a header that is no such JSON, an unknown type, ranges that leave gaps, overlap or
/// differ from shape times type, and a file that is shorter or longer than they say.
SafetensorsHeader read_safetensors_header(const std::string& path);

/// What a model in one or more files holds together. `layers` as in finish_inventory. Errors as above, and
/// content for a tensor that stands in two files.
TensorInventory read_safetensors(const std::vector<std::string>& paths, const QuantConfig& config,
                                 std::optional<std::int64_t> layers = std::nullopt);

/// The same from a `model.safetensors.index.json`, whose files must stand beside it. With none of them there,
/// its total size alone. Errors as above; missing when some files are there and others are not; content for a
/// map that names other folders or tensors that its files do not hold.
TensorInventory read_safetensors_index(const std::string& path, const QuantConfig& config,
                                       std::optional<std::int64_t> layers = std::nullopt);

}  // namespace roofplan::model
