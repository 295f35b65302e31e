#pragma once

#include "model/catalog/model_reference.hpp"
#include "model/catalog/scenario.hpp"
#include "model/report/document.hpp"
#include "model/calibration/speed_data.hpp"

namespace roofplan::model::report {

/// Everything of one scenario: fit, speed, power, site and cost, each as its own verb prints it, with the
/// sources of prices and derivations. A system whose power nobody states has no site: null with that reason.
/// True where the model fits. Errors as fit(), speed() and owned_cost().
bool describe_plan(Document& document, const Scenario& scenario, const SpeedData& data,
                   const ModelFile& model, bool explain);

}  // namespace roofplan::model::report
