#pragma once

#include "model/llm/architecture.hpp"
#include "model/llm/model_facts.hpp"
#include "model/report/table.hpp"
#include "model/report/value.hpp"

namespace roofplan::model::report {

/// `layer_groups[]` of a model: what each run of layers is made of.
Value layer_group_list(const Architecture& model, const ModelFacts& facts);

/// The same for people.
Table layer_group_table(const Architecture& model, const ModelFacts& facts);

}  // namespace roofplan::model::report
