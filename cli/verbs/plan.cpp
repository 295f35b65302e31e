#include "cli/session.hpp"
#include "cli/verbs/verbs.hpp"
#include "model/report/plan_document.hpp"

#include <fmt/format.h>

namespace roofplan::cli {
namespace {

/// Sections of a scenario that no part of the answer takes up.
std::vector<std::string> unanswered(const model::Scenario& scenario) {
  std::vector<std::string> out;
  if (scenario.train) out.emplace_back("train");
  if (scenario.arrivals) out.emplace_back("arrivals");
  if (scenario.fleet) out.emplace_back("fleet");
  if (scenario.desk) out.emplace_back("desk");
  if (scenario.sim) out.emplace_back("sim");
  return out;
}

Outcome run_plan(Session& session) {
  Outcome outcome{session.new_answer()};
  const model::ModelFile& chosen = session.model();
  session.system();
  const bool fits = model::report::describe_plan(outcome.document, session.scenario(), session.speed_data(),
                                                 chosen, session.explain());
  if (const auto left = unanswered(session.scenario()); !left.empty())
    outcome.document.warnings.push_back(
        model::Text("plan.not_answered", {{"sections", fmt::format("{}", fmt::join(left, ", "))}}));
  outcome.exit_code = fits ? exit_code::kDone : exit_code::kAnswerIsNo;
  return outcome;
}

}  // namespace

Verb plan_verb() {
  Verb verb;
  verb.name = "plan";
  verb.summary = "the whole answer to one scenario file";
  verb.examples = {"roofplan plan lab.json", "roofplan plan b300-100.json -o html --out plan.html",
                   "roofplan plan lab.json --set load.users=16 -o json"};
  verb.positionals = {path("SCENARIO", "a scenario file; roofplan scenario --sample prints some")};
  verb.plans_requests = true;
  verb.run = run_plan;
  return verb;
}

}  // namespace roofplan::cli
