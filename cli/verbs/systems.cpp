#include "cli/session.hpp"
#include "cli/verbs/verbs.hpp"
#include "model/report/system_document.hpp"

namespace roofplan::cli {
namespace {

Outcome run_systems(Session& session) {
  Outcome outcome{session.new_document()};
  const model::SystemCatalog& systems = session.catalog().systems();
  const auto name = session.arguments().get("SYSTEM");
  if (!session.arguments().has("ACTION")) {
    model::report::describe_systems(outcome.document, systems);
    return outcome;
  }
  if (!name)
    throw model::InputError(model::InputError::Kind::usage, "systems show needs SYSTEM",
                            "a system; roofplan systems lists them");
  outcome.document.inputs.add("system", *name);
  model::report::describe_system(outcome.document, systems.find(*name), systems.sources());
  return outcome;
}

}  // namespace

Verb systems_verb() {
  Verb verb;
  verb.name = "systems";
  verb.summary = "the systems known, and every figure of one with its source";
  verb.examples = {"roofplan systems", "roofplan systems show gb10",
                   "roofplan systems show dgx-b300 -o json"};
  verb.positionals = {word("ACTION", "show prints every figure of SYSTEM", {"show"}),
                      text("SYSTEM", "id or alias of a system").offers(Option::Offer::systems)};
  verb.run = run_systems;
  return verb;
}

}  // namespace roofplan::cli
