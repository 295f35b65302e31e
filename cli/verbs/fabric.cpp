#include "cli/session.hpp"
#include "cli/verbs/verbs.hpp"
#include "model/calibration/fabric_path.hpp"
#include "model/catalog/fabric_parts.hpp"
#include "model/catalog/price_catalog.hpp"
#include "model/report/fabric_document.hpp"
#include "model/report/figures.hpp"

namespace roofplan::cli {
namespace {

namespace report = model::report;

/// The newest price of a part, by the id that both share.
model::PartPrices part_prices(const model::PriceCatalog& prices) {
  return [&prices](const std::string& part) -> std::optional<model::Money> {
    for (const model::Price& price : prices.all()) {
      if (price.id == part && price.per == model::Price::Per::part && price.amount.known())
        return price.money();
    }
    return std::nullopt;
  };
}

/// Names the sources of the parts and of the links' parameters.
void cite_fabric(report::Document& document, const model::Sources& sources, const model::FabricParts& parts,
                 const model::LinkRecord& link) {
  for (const auto* part :
       {&parts.network_switch, &parts.switch_optic, &parts.node_optic, &parts.nic, &parts.cable}) {
    if (!*part) continue;
    for (const std::string& id : {(*part)->ports.provenance.source, (*part)->power.provenance.source}) {
      if (!id.empty()) report::cite(document, sources, id);
    }
  }
  for (const auto& [name, provenance] : link.provenance) report::cite(document, sources, provenance.source);
}

Outcome run_fabric(Session& session) {
  Outcome outcome{session.new_document()};
  const model::System& system = session.system();
  const model::SystemChoice& choice = session.scenario().system;
  const model::Catalog& catalog = session.catalog();
  const model::NetworkCatalog& network = catalog.network();
  const auto state = model::link_state_from(choice.link_state).value_or(model::LinkState::nominal);
  const model::FabricParts parts =
      model::fabric_parts(system, network, session.arguments().get_or("network", ""));
  const model::FabricPlan plan = model::plan_fabric(
      choice.count, session.arguments().number("oversubscription").value_or(1.0), parts,
      model::fabric_path(system, session.speed_data().calibrations(), catalog.links(), state),
      system.accelerators, part_prices(catalog.prices()));
  report::describe_fabric(outcome.document, plan, system, choice.count,
                          model::published_stage(system, network, parts, choice.count));
  cite_fabric(outcome.document, catalog.sources(), parts, catalog.links().record_of(system));
  return outcome;
}

}  // namespace

Verb fabric_verb() {
  Verb verb;
  verb.name = "fabric";
  verb.summary = "the network between systems: bill of materials and collective times";
  verb.examples = {"roofplan fabric --system gb10 --count 2 --link-state measured",
                   "roofplan fabric --system dgx-b300 --count 72",
                   "roofplan fabric --system dgx-b300 --count 64 --network spectrum-4 -o json"};
  verb.options = {field("system", "system.ref").offers(Option::Offer::systems),
                  field("count", "system.count"), field("link-state", "system.link_state"),
                  number("oversubscription", "leaf ports down over ports up", 1, 100),
                  word("network", "the switches; default: InfiniBand at the rate of the system's ports",
                       model::fabric_networks())};
  verb.run = run_fabric;
  return verb;
}

}  // namespace roofplan::cli
