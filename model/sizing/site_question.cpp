#include "model/sizing/site_question.hpp"

namespace roofplan::model {

SiteRequest site_request(const Scenario& scenario, const System& system, const SiteCatalog& sites) {
  SiteRequest request;
  request.count = scenario.system.count;
  request.gpus = scenario.system.gpus;
  request.pue = scenario.site.pue;
  request.rack_power = scenario.site.rack_power;
  request.coolant_supply_c = scenario.site.coolant_supply_c;
  if (scenario.site.circuit) {
    request.circuits = {sites.circuit(*scenario.site.circuit)};
  } else if (system.system_class == System::Class::desktop) {
    for (const Circuit* circuit : sites.circuits_of(scenario.site.country))
      request.circuits.push_back(*circuit);
  }
  return request;
}

}  // namespace roofplan::model
