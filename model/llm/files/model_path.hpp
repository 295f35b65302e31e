#pragma once

#include "model/llm/architecture.hpp"
#include "model/llm/files/tensor_inventory.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace roofplan::model {

/// A model read from files.
struct ModelFile {
  Architecture architecture;  ///< `id` is the path; side modules as the files hold them where they were read
  std::optional<TensorInventory> inventory;  ///< nothing: only a config.json was given
  std::vector<std::string> notes;            ///< what the user should know of the files
};

/// Whether a MODEL argument means files: it ends in .json, .gguf or .safetensors, or names what exists.
bool is_model_path(std::string_view reference);

/// Reads a model from a config.json; from a folder that holds one, with its safetensors files, their index
/// and hf_quant_config.json where they are there, or else one GGUF model; from any safetensors file or index
/// beside a config.json; from any part of a GGUF model, whatever its name. Beside a config of another name,
/// NAME.json, a NAME.hf_quant_config.json is its quantisation. Headers are read, never tensor data. With
/// `assume` a config of an unknown architecture is read by its keys. Throws InputError: missing for files
/// that are not there, content for files that are bad, and for a folder with several models.
ModelFile load_model_path(const std::string& path, bool assume = false);

}  // namespace roofplan::model
