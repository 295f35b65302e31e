#include "cli/session.hpp"
#include "cli/verbs/cost_answer.hpp"
#include "cli/verbs/verbs.hpp"
#include "model/report/cost_document.hpp"
#include "model/report/figures.hpp"
#include "model/report/fit_document.hpp"
#include "model/report/site_document.hpp"
#include "model/report/speed_document.hpp"
#include "model/sizing/fit_question.hpp"
#include "model/sizing/load_power.hpp"
#include "model/sizing/site_question.hpp"
#include "model/sizing/speed_question.hpp"

#include <utility>

namespace roofplan::cli {
namespace {

namespace report = model::report;

/// Each section is a part of the document; the sections before it stay.
void append(report::Document& document, const std::string& key, report::Document section) {
  document.result.add(key, std::move(section.result));
  std::move(section.blocks.begin(), section.blocks.end(), std::back_inserter(document.blocks));
  std::move(section.warnings.begin(), section.warnings.end(), std::back_inserter(document.warnings));
  std::move(section.derivations.begin(), section.derivations.end(), std::back_inserter(document.derivations));
}

bool add_fit(Session& session, report::Document& document) {
  const model::ModelFile& chosen = session.model();
  model::FitQuestion question(session.scenario(), session.catalog(), chosen.architecture, session.system());
  question.request().explain = session.explain();
  const model::FitAnswer answer = model::fit(question.request());
  report::Document section;
  report::describe_fit(section, question.request(), answer, chosen);
  append(document, "fit", std::move(section));
  return answer.fits;
}

/// The powers that the vendor states, for all systems, and what the load draws.
report::Value power_value(const model::System& system, const model::LoadPower& power) {
  const auto systems = static_cast<double>(power.systems);
  report::Value out = report::Value::object();
  const auto add = [&](const char* key, const model::Figure<model::Watts>& figure) {
    out.add(key, figure.known() ? report::Value(*figure / model::unit::W * systems)
                                : report::Value::unknown(model::as_is(figure.unknown_reason)));
  };
  add("power_typical_w", system.power_typical);
  add("power_design_w", system.power_design);
  add("power_peak_w", system.power_peak);
  report::add_load_power(out, power);
  return out;
}

/// Speed, and the power that follows from it.
void add_speed(Session& session, report::Document& document) {
  const model::ModelFile& chosen = session.model();
  const model::SpeedQuestion question(session.scenario(), session.speed_data(), chosen.architecture,
                                      session.system());
  const model::SpeedAnswer answer = model::speed(question.request());
  const model::LoadPower power =
      model::load_power(question.request(), answer, session.catalog().phase_power());
  report::Document section;
  section.result = report::speed_value(question.request(), answer, power);
  section.blocks = report::speed_blocks(question.request(), answer, power);
  append(document, "speed", std::move(section));
  document.result.add("power", power_value(session.system(), power));
}

/// A system whose power nobody states has no site to plan: null with that reason.
void add_site(Session& session, report::Document& document) {
  const model::System& system = session.system();
  report::Document section;
  try {
    const model::SiteRequest request =
        model::site_request(session.scenario(), system, session.catalog().sites());
    const model::SiteAnswer answer = model::plan_site(system, request, &section.derivations);
    report::describe_site(section, answer, system);
  } catch (const model::InputError& e) {
    section = {};
    section.result = report::Value::unknown(model::as_is(e.message()));
  }
  append(document, "site", std::move(section));
}

void add_cost(Session& session, report::Document& document) {
  const CostAnswer answer = cost_answer(session, session.scenario());
  const model::MoneySettings& money = session.scenario().money;
  report::Document section;
  section.result = report::cost_value(answer.options, money, answer.why_no_tokens);
  section.blocks = report::cost_blocks(answer.options, money);
  section.warnings = report::cost_warnings(answer.options);
  append(document, "cost", std::move(section));
  cite_costs(session, document, answer);
}

Outcome run_plan(Session& session) {
  Outcome outcome{session.new_answer()};
  report::Document& document = outcome.document;
  const bool fits = add_fit(session, document);
  add_speed(session, document);
  add_site(session, document);
  add_cost(session, document);
  report::cite_derivations(document, session.catalog().sources());
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
  verb.run = run_plan;
  return verb;
}

}  // namespace roofplan::cli
