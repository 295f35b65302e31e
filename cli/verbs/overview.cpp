#include "cli/session.hpp"
#include "cli/verbs/common_options.hpp"
#include "cli/verbs/verbs.hpp"
#include "model/report/overview_document.hpp"

namespace roofplan::cli {
namespace {

Outcome run_overview(Session& session) {
  Outcome outcome{session.new_document()};
  const Arguments& arguments = session.arguments();
  model::OverviewRequest request;
  request.models = arguments.all("MODEL");
  request.settings = session.scenario();
  for (const std::string& name :
       split_list(arguments.get_or("systems", "gb10,gb10x2,dgx-b300,gb300-nvl72"))) {
    request.offers.push_back(model::parse_system_offer(name, session.catalog().systems()));
  }
  request.context = arguments.count("context").value_or(model::kDefaultContext);
  if (request.settings.load.concurrency || request.settings.load.users) {
    request.concurrency = request.settings.load.open_requests();
  }
  const std::vector<model::OverviewEntry> entries = model::overview(request, session.speed_data());
  model::report::describe_overview(outcome.document, request, entries);
  return outcome;
}

}  // namespace

Verb overview_verb() {
  Verb verb;
  verb.name = "overview";
  verb.summary = "several models on several systems: what fits, how long a context, how many users, how fast";
  verb.examples = {"roofplan overview gpt-oss-120b llama-3.1-70b",
                   "roofplan overview llama-3.1-405b --systems gb10x2,dgx-h200 --weights awq"};
  verb.positionals = {text("MODEL", "id, Hugging Face name, path or a size such as dense:70B")
                          .many()
                          .needed()
                          .offers(Option::Offer::models)};
  verb.options = {list("systems", "systems, with a count behind x: gb10x2").value("A,B"), weights_option(),
                  kv_option(), engine_option(),
                  count("context", "tokens of one sequence, prompt and output together")};
  verb.run = run_overview;
  return verb;
}

}  // namespace roofplan::cli
