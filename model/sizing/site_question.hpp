#pragma once

#include "model/catalog/catalog.hpp"
#include "model/catalog/scenario.hpp"
#include "model/hardware/system.hpp"
#include "model/power/site.hpp"

namespace roofplan::model {

/// What a scenario asks of a site. Desktops without a named circuit get those of the country. Throws
/// InputError (usage) for an unknown circuit or country.
SiteRequest site_request(const Scenario& scenario, const System& system, const Catalog& catalog);

}  // namespace roofplan::model
