#include "cli/output/emit.hpp"
#include "cli/session.hpp"
#include "cli/verbs/common_options.hpp"
#include "cli/verbs/verbs.hpp"
#include "model/report/board/board_report.hpp"
#include "model/report/figures.hpp"
#include "model/report/size_document.hpp"
#include "model/units/error.hpp"

#include <fmt/format.h>

namespace roofplan::cli {
namespace {

/// The prices that the feasible plans and the rent rest on.
void cite_prices(Session& session, model::report::Document& document, const model::SizeAnswer& answer) {
  const model::Sources& sources = session.catalog().sources();
  for (const model::SizePlan& plan : answer.plans)
    for (const model::CostItem& item : plan.cost.items)
      if (plan.feasible && sources.contains(item.source)) model::report::cite(document, sources, item.source);
  if (!answer.rented) return;
  for (const model::CostItem& item : answer.rented->cost.items)
    if (sources.contains(item.source)) model::report::cite(document, sources, item.source);
}

/// The report for those who decide, where a page is asked for.
void add_pages(Session& session, model::report::Document& document, const model::SizeRequest& request,
               const model::SizeAnswer& answer) {
  if (!wants_pages(session.arguments())) return;
  const model::SpeedData& data = session.speed_data();
  model::report::BoardCase board{request, answer, nullptr, data, session.model(), document.tool};
  model::PurchaseCase purchase;
  if (answer.can_buy()) {
    purchase = model::purchase_case(request, answer, data, session.model());
    board.purchase = &purchase;
  }
  document.pages = model::report::board_pages(board);
}

Outcome run_size(Session& session) {
  Outcome outcome{session.new_answer()};
  model::SizeRequest request;
  request.scenario = session.scenario();
  if (const auto engines = session.arguments().get("engines")) request.engines = split_list(*engines);
  const model::SizeAnswer answer = model::size_plans(request, session.speed_data(), session.model());
  model::report::describe_size(outcome.document, answer, request.scenario);
  cite_prices(session, outcome.document, answer);
  add_pages(session, outcome.document, request, answer);
  outcome.exit_code = answer.can_buy() || answer.rented ? exit_code::kDone : exit_code::kAnswerIsNo;
  return outcome;
}

}  // namespace

Verb size_verb() {
  Verb verb;
  verb.name = "size";
  verb.summary = "what to buy for a model, a load and its limits: plans, what was rejected, what changes it";
  verb.examples = {
      "roofplan size gpt-oss-120b --users 8 --min-tok-s 20",
      "roofplan size llama-3.1-70b --weights fp8 --users 500 --active-share 0.1 --max-power \"40 kW\"",
      "roofplan size llama-3.1-8b --rps 5 --systems gb10,dgx-h100 --max-ttft 2 -o json",
      "roofplan size --scenario lab-of-eight.json -o html --lang ko --currency KRW"};
  verb.positionals = {model_argument("MODEL", false)};
  verb.options = joined(
      {{field("users", "load.users").value("N"), field("active-share", "load.active_share"),
        concurrency_option(), field("rps", "load.rps"), field("growth", "load.growth_per_month"),
        field("prompt", "load.prompt_tokens").value("P"), output_tokens_option(),
        field("prefix-hit", "load.prefix_hit"), field("min-tok-s", "targets.min_tok_s_per_user"),
        field("max-ttft", "targets.max_ttft_s"), field("statistic", "targets.statistic"),
        field("availability", "targets.availability")},
       {field("systems", "limits.systems"), weights_option(), field("formats", "limits.formats"), kv_option(),
        engine_option(), list("engines", "engines tried, as vllm,sglang"),
        field("max-power", "limits.power_w"), field("max-racks", "limits.racks"),
        field("max-floor", "limits.floor_m2"), field("budget", "limits.budget"), data_stays_option(),
        field("years", "money.years"), field("tariff", "money.tariff"), field("country", "site.country"),
        field("pue", "site.pue"), field("rack-power", "site.rack_power_w"), power_cap_option(),
        field("failure-rates", "site.failure_rates"), field("repair", "site.repair_s")},
       money_options()});
  verb.run = run_size;
  return verb;
}

}  // namespace roofplan::cli
