#pragma once

#include "model/report/document.hpp"
#include "model/sizing/size.hpp"

#include <string>

namespace roofplan::model::report {

/// How a plan divides the model, with the workers of its pools where it has some: "TP 8: 1 + 3".
std::string split_text(const SizePlan& plan);

/// One plan, as the list `plans` holds it.
Value size_plan_value(const SizePlan& plan, const Scenario& scenario);

/// "buy", "rent" or "none".
const char* decision_word(const SizeAnswer& answer);

/// The plans, what was rejected and why, the frontier and what would change the decision.
void describe_size(Document& document, const SizeAnswer& answer, const Scenario& scenario);

}  // namespace roofplan::model::report
