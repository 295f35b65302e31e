#include "cli/session.hpp"
#include "cli/verbs/common_options.hpp"
#include "cli/verbs/verbs.hpp"
#include "model/report/scale_document.hpp"

namespace roofplan::cli {
namespace {

Outcome run_scale(Session& session) {
  Outcome outcome{session.new_answer()};
  const Arguments& arguments = session.arguments();
  session.system();
  model::ScaleRequest request;
  request.scenario = session.scenario();
  request.busy_hours = arguments.number("busy-hours");
  if (const auto bytes = arguments.amount("dataset")) request.data = *bytes * model::unit::B;
  if (const auto there = arguments.get("operator")) request.operator_there = *there == "yes";
  try {
    request.server = session.catalog().systems().find(arguments.get_or("server", request.server)).id;
  } catch (const model::InputError& e) {
    throw e.at({"--server", {}, 0});
  }
  const model::ScaleAnswer answer = model::scale_advice(request, session.speed_data(), session.model());
  model::report::describe_scale(outcome.document, answer);
  if (!answer.any_meets()) outcome.exit_code = exit_code::kAnswerIsNo;
  return outcome;
}

}  // namespace

Verb scale_verb() {
  Verb verb;
  verb.name = "scale";
  verb.summary = "one box, linked boxes, separate boxes or servers for this model and these users";
  verb.examples = {
      "roofplan scale gpt-oss-120b --system gb10 --users 8",
      "roofplan scale llama-3.1-405b --system gb10 --weights int4 --users 2",
      "roofplan scale llama-3.1-70b --system gb10 --weights nvfp4 --users 12 --busy-hours 24 --operator yes"};
  verb.positionals = {model_argument("MODEL", false)};
  verb.options = joined(
      {{field("system", "system.ref").offers(Option::Offer::systems), field("users", "load.users").value("N"),
        field("active-share", "load.active_share"), concurrency_option()},
       {weights_option(), kv_option(), field("prompt", "load.prompt_tokens").value("P"),
        output_tokens_option(), engine_option(), field("link-state", "system.link_state"),
        field("min-tok-s", "targets.min_tok_s_per_user"), field("max-ttft", "targets.max_ttft_s"),
        field("statistic", "targets.statistic")},
       {number("busy-hours", "hours a day that the machines work", 0, 24),
        quantity("dataset", "data that the work needs, as 20 TB", "B"),
        word("operator", "someone is there to run servers", {"yes", "no"}),
        text("server", "what one would move to").offers(Option::Offer::systems)}});
  verb.plans_requests = true;
  verb.run = run_scale;
  return verb;
}

}  // namespace roofplan::cli
