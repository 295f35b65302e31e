#include "cli/session.hpp"
#include "cli/verbs/common_options.hpp"
#include "cli/verbs/verbs.hpp"
#include "model/report/figures.hpp"
#include "model/report/model_document.hpp"

namespace roofplan::cli {
namespace {

Outcome run_models(Session& session) {
  Outcome outcome{session.new_document()};
  const Arguments& arguments = session.arguments();
  const model::Catalog& catalog = session.catalog();
  if (!arguments.has("ACTION")) {
    model::report::describe_models(outcome.document, catalog);
    return outcome;
  }
  session.check_names();
  const model::ModelFile& chosen = session.model();
  const model::ModelChoice& choice = session.scenario().model;
  outcome.document.inputs.add("model", choice.ref).add("weights", choice.weights).add("kv", choice.kv);
  std::string name = chosen.architecture.id;
  // A file needs no catalogue, whose index takes longer to read than one model.
  const bool is_file = chosen.architecture.id == choice.ref && model::is_model_path(choice.ref);
  if (!is_file && catalog.models().contains(choice.ref)) {
    const model::ModelEntry entry = catalog.models().entry(choice.ref, catalog.sources());
    name = entry.name;
    for (const std::string& id : entry.sources) model::report::cite(outcome.document, catalog.sources(), id);
  }
  model::report::describe_model(outcome.document, chosen, name, catalog.formats(), choice.weights, choice.kv);
  return outcome;
}

}  // namespace

Verb models_verb() {
  Verb verb;
  verb.name = "models";
  verb.summary = "the models known, and one as understood: parameters, layers, cache, weights";
  verb.examples = {"roofplan models", "roofplan models show gpt-oss-120b",
                   "roofplan models show deepseek-v3 --kv fp8 -o json",
                   "roofplan models show dense:70B --weights int4"};
  verb.positionals = {word("ACTION", "show prints MODEL as understood", {"show"}),
                      model_argument("MODEL", false)};
  verb.options = {weights_option(), kv_option(), assume_option()};
  verb.run = run_models;
  return verb;
}

}  // namespace roofplan::cli
