#pragma once

#include "model/report/document.hpp"
#include "model/sizing/scale_advice.hpp"

namespace roofplan::model::report {

/// The keys of `scale` under result; for people the advice and its reason, the options side by side, the
/// three tests of moving to servers.
void describe_scale(Document& document, const ScaleAnswer& answer);

}  // namespace roofplan::model::report
