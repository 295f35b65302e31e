#pragma once

#include "model/acceptance/evidence.hpp"
#include "model/catalog/model_catalog.hpp"

#include <string>

namespace roofplan::model {

/// What a row of llama-bench ran, in the words of the catalogue.
struct BenchModel {
  std::string model;   ///< id or alias, empty where none is known
  std::string format;  ///< "q4_k_m", empty where none is told
};

/// From the file's name ("Meta-Llama-3.1-8B-Instruct-Q4_K_M.gguf"), else from what llama-bench calls it
/// ("gpt-oss 120B MXFP4 MoE"). Words behind the model's name are dropped one by one until a name is known.
BenchModel bench_model(const EngineRate& rate, const ModelCatalog& models);

}  // namespace roofplan::model
