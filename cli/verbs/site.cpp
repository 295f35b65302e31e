#include "model/power/site.hpp"

#include "cli/session.hpp"
#include "cli/verbs/common_options.hpp"
#include "cli/verbs/verbs.hpp"
#include "model/report/figures.hpp"
#include "model/report/site_document.hpp"
#include "model/sizing/site_question.hpp"

namespace roofplan::cli {
namespace {

using model::Watts;

std::optional<Watts> power_of(const Arguments& arguments, const char* option) {
  const auto amount = arguments.amount(option);
  if (!amount) return std::nullopt;
  return *amount * model::unit::W;
}

model::SiteRequest request_of(Session& session, const model::System& system) {
  model::SiteRequest request = model::site_request(session.scenario(), system, session.catalog());
  request.network = power_of(session.arguments(), "network-power");
  request.storage = power_of(session.arguments(), "storage-power");
  request.management = power_of(session.arguments(), "management-power");
  return request;
}

Outcome run_site(Session& session) {
  Outcome outcome{session.new_answer()};
  const model::System& system = session.system();
  const model::SiteRequest request = request_of(session, system);
  const model::SiteAnswer answer = model::plan_site(system, request, &outcome.document.derivations);
  model::report::describe_site(outcome.document, answer, system);
  for (const auto* figure : {&system.power_typical, &system.power_design, &system.power_peak}) {
    model::report::cite(outcome.document, session.catalog().sources(), figure->provenance.source);
  }
  return outcome;
}

}  // namespace

Verb site_verb() {
  Verb verb;
  verb.name = "site";
  verb.summary = "power, racks, cooling and circuits of a number of systems";
  verb.examples = {"roofplan site --system dgx-b300 --gpus 100",
                   "roofplan site --system gb300-nvl72 --count 1 --coolant-supply 40",
                   "roofplan site --system gb10 --count 2 --circuit kr-220v-16a"};
  verb.options = {field("system", "system.ref").offers(Option::Offer::systems),
                  field("count", "system.count"),
                  field("gpus", "system.gpus"),
                  power_cap_option(),
                  field("pue", "site.pue"),
                  field("rack-power", "site.rack_power_w"),
                  field("rack-area", "site.rack_area_m2"),
                  field("circuit", "site.circuit"),
                  field("country", "site.country"),
                  field("coolant-supply", "site.coolant_supply_c"),
                  quantity("network-power", "power of the network; default: estimated", "W"),
                  quantity("storage-power", "power of the storage; default: estimated", "W"),
                  quantity("management-power", "power of management; default: estimated", "W")};
  verb.run = run_site;
  return verb;
}

}  // namespace roofplan::cli
