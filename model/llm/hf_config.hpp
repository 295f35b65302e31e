#pragma once

#include "model/llm/architecture.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace roofplan::model {

struct ImportOptions {
  bool assume = false;  ///< read an unknown architecture by its keys alone, and say what was assumed
  std::string_view hf_quant_config;  ///< text of the hf_quant_config.json beside it; empty: none
  std::string pointer;  ///< JSON pointer of the config in its file, when it is part of a larger document
  std::string hf_quant_config_file;  ///< its name in error messages
};

/// Reads the config.json of a Hugging Face model. The text model is counted layer by layer; MTP modules and
/// vision towers where the file gives their shape, otherwise `assumptions` says that they are left out.
/// Shapes follow the model classes of Transformers and the configs published with each model.
/// Throws InputError (content) with file and JSON pointer for values out of range, for shapes that do not
/// divide, for what is no causal or encoder language model, and for an unknown architecture unless
/// `options.assume` (with the nearest known ones and the keys that are missing).
Architecture import_hf_config(std::string_view json_text, const std::string& file,
                              const ImportOptions& options = {});

/// Class names that the importer knows, sorted.
std::vector<std::string> known_hf_architectures();

}  // namespace roofplan::model
