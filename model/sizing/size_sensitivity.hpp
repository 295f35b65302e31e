#pragma once

#include "model/sizing/size.hpp"

namespace roofplan::model {

/// How far the best plan carries a growing load, and what would change the decision: the load doubled and
/// halved, half as fast again for each user, the price at which the next system becomes as cheap. The
/// answer's first plan must be feasible. Errors as size_plans().
void add_sensitivity(const SizeRequest& request, const SpeedData& data, const ModelFile& model,
                     SizeAnswer& answer, SizeEvaluations& evaluations);

}  // namespace roofplan::model
