#pragma once

#include "model/llm/files/model_path.hpp"
#include "model/memory/fit.hpp"
#include "model/report/document.hpp"

namespace roofplan::model::report {

/// Result of `fit`, as the verb prints it and `plan` includes it.
Value fit_value(const FitAnswer& answer);

/// The answer for machines and people: verdict first, then where the memory of the fullest device goes, then
/// what else would fit.
void describe_fit(Document& document, const FitRequest& request, const FitAnswer& answer,
                  const ModelFile& model);

/// The part for people alone, for documents that hold more than one answer.
std::vector<Block> fit_blocks(const FitRequest& request, const FitAnswer& answer);

}  // namespace roofplan::model::report
