#pragma once

#include "model/catalog/catalog.hpp"
#include "model/llm/files/model_path.hpp"
#include "model/report/document.hpp"

#include <string>

namespace roofplan::model::report {

/// All models of the catalogue: `models[]` under result, sizes and cache per token as a table.
void describe_models(Document& document, const Catalog& catalog);

/// One model as understood: parameters, layers, cache and state of one sequence in the cache format `kv`,
/// bytes of the weights in the format `weights`, exact ones of its files where they are there. Throws
/// InputError (usage) for unknown formats.
void describe_model(Document& document, const ModelFile& model, const std::string& name,
                    const FormatTable& formats, const std::string& weights, const std::string& kv);

}  // namespace roofplan::model::report
