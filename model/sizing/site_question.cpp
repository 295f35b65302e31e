#include "model/sizing/site_question.hpp"

namespace roofplan::model {

SiteRequest site_request(const Scenario& scenario, const System& system, const Catalog& catalog) {
  const SiteCatalog& sites = catalog.sites();
  SiteRequest request;
  request.count = scenario.system.count;
  request.gpus = scenario.system.gpus;
  request.pue = scenario.site.pue;
  request.rack_power = scenario.site.rack_power;
  request.rack_area_m2 = scenario.site.rack_area_m2;
  request.coolant_supply_c = scenario.site.coolant_supply_c;
  if (scenario.system.power_cap) request.power_cap = {*scenario.system.power_cap, &catalog.phase_power()};
  if (scenario.site.circuit) {
    request.circuits = {sites.circuit(*scenario.site.circuit)};
  } else if (system.system_class == System::Class::desktop) {
    for (const Circuit* circuit : sites.circuits_of(scenario.site.country))
      request.circuits.push_back(*circuit);
  }
  return request;
}

}  // namespace roofplan::model
