#pragma once

#include "model/catalog/sources.hpp"
#include "model/report/document.hpp"
#include "model/sizing/cost_question.hpp"

#include <string>
#include <vector>

namespace roofplan::model::report {

/// Result of `cost`, as the verb prints it and `plan` includes it. `why_no_tokens`: why there is no cost per
/// token where an option has none.
Value cost_value(const std::vector<CostOption>& options, const MoneySettings& money,
                 const Text& why_no_tokens);

/// The part for people: options side by side, what is priced and what is not.
std::vector<Block> cost_blocks(const std::vector<CostOption>& options, const MoneySettings& money);

/// Names the sources of the prices that were used.
void cite_prices(Document& document, const Sources& sources, const std::vector<CostOption>& options);

/// Every warning of the options, once.
std::vector<Text> cost_warnings(const std::vector<CostOption>& options);

}  // namespace roofplan::model::report
