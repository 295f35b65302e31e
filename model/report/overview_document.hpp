#pragma once

#include "model/report/document.hpp"
#include "model/sizing/overview.hpp"

#include <vector>

namespace roofplan::model::report {

/// `rows[]` under result and one table row a pair of model and offer.
void describe_overview(Document& document, const OverviewRequest& request,
                       const std::vector<OverviewEntry>& entries);

}  // namespace roofplan::model::report
