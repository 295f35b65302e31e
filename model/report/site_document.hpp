#pragma once

#include "model/hardware/system.hpp"
#include "model/power/site.hpp"
#include "model/report/document.hpp"

namespace roofplan::model::report {

/// The keys of `site` under result; for people the power by part, then cooling, racks and circuits.
void describe_site(Document& document, const SiteAnswer& answer, const System& system);

/// "Circuit KR, 220 V 16 A".
Text circuit_text(const Circuit& circuit);

/// The same keys alone, as `plan` holds them.
Value site_value(const SiteAnswer& answer);

}  // namespace roofplan::model::report
