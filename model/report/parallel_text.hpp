#pragma once

#include "model/memory/parallel.hpp"
#include "model/report/value.hpp"

#include <string>

namespace roofplan::model::report {

/// The degrees, one member each.
Value parallel_value(const ParallelPlan& plan);

/// "TP 8", "TP 4 x PP 2, DP 3".
std::string plan_text(const ParallelPlan& plan);

}  // namespace roofplan::model::report
