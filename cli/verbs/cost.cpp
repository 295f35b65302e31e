#include "cli/session.hpp"
#include "cli/verbs/common_options.hpp"
#include "cli/verbs/verbs.hpp"
#include "model/report/cost_document.hpp"
#include "model/sizing/cost_answer.hpp"

#include <iterator>

namespace roofplan::cli {
namespace {

Outcome run_cost(Session& session) {
  Outcome outcome{session.new_document()};
  model::report::Document& document = outcome.document;
  model::CostAnswer all;
  model::MoneySettings money;
  bool first = true;
  for (const auto& [scenario, file] : session.asked()) {
    if (!first && scenario.money.currency != money.currency) {
      throw model::InputError(model::InputError::Kind::usage,
                              "the scenarios are in " + money.currency + " and " + scenario.money.currency,
                              "one currency: --currency C");
    }
    model::CostAnswer one = model::cost_answer(scenario, session.speed_data(), file ? &*file : nullptr);
    if (first) money = scenario.money;
    first = false;
    std::move(one.options.begin(), one.options.end(), std::back_inserter(all.options));
    if (!one.why_no_tokens.empty()) all.why_no_tokens = one.why_no_tokens;
    std::move(one.warnings.begin(), one.warnings.end(), std::back_inserter(document.warnings));
  }
  document.result = model::report::cost_value(all.options, money, all.why_no_tokens);
  document.main_list = "options";
  document.blocks = model::report::cost_blocks(all.options, money);
  const std::vector<model::Text> warnings = model::report::cost_warnings(all.options);
  document.warnings.insert(document.warnings.end(), warnings.begin(), warnings.end());
  model::report::cite_prices(document, session.catalog().sources(), all.options);
  return outcome;
}

}  // namespace

Verb cost_verb() {
  Verb verb;
  verb.name = "cost";
  verb.summary = "what owning and renting cost over years, and when owning pays";
  verb.examples = {"roofplan cost gpt-oss-120b --system gb10 --count 2 --years 4",
                   "roofplan cost llama-3.1-70b --system dgx-h200 --concurrency 64 --currency KRW",
                   "roofplan cost --system dgx-b300 --count 4 --country US -o json"};
  verb.positionals = {model_argument("MODEL", false)};
  verb.options = joined({system_options(),
                         {power_cap_option(), weights_option(), kv_option(),
                          field("prompt", "load.prompt_tokens").value("P"), output_tokens_option(),
                          concurrency_option(), field("users", "load.users").value("N"), engine_option()},
                         parallel_options(),
                         {field("years", "money.years"), field("discount", "money.discount"),
                          field("tariff", "money.tariff"), field("cloud", "money.cloud"),
                          field("country", "site.country"), field("pue", "site.pue"), data_stays_option()},
                         money_options()});
  verb.run = run_cost;
  return verb;
}

}  // namespace roofplan::cli
