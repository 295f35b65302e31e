#include "cli/session.hpp"
#include "cli/verbs/verbs.hpp"
#include "model/catalog/scenario_names.hpp"
#include "model/json/json.hpp"
#include "model/report/calibration_drift.hpp"
#include "model/report/comparison.hpp"
#include "model/report/sweep_row.hpp"

#include <fmt/format.h>

#include <utility>

namespace roofplan::cli {
namespace {

using model::InputError;
namespace report = model::report;

constexpr const char* kScenario = "roofplan.scenario";
constexpr const char* kCalibration = "roofplan.calibration";
/// Of the larger number: what rounding may do.
constexpr double kRounding = 1e-9;

struct Side {
  std::string file;
  std::string schema;
  report::Value content;
};

Side read_side(const std::string& file) {
  Side side{file, {}, report::value_of_json(model::read_text_file(file), file)};
  const auto refuse = [&](const char* why) {
    throw InputError(InputError::Kind::content, why, "a scenario, an answer in JSON or a calibration file",
                     {file, {}, 0});
  };
  if (!side.content.is_object()) refuse("this is no JSON object");
  if (const report::Value* schema = side.content.find("schema")) {
    if (const auto* name = std::get_if<std::string>(&schema->content())) side.schema = *name;
  }
  if (!side.schema.starts_with("roofplan.")) refuse("no schema of this program stands in it");
  if (side.schema != kScenario && side.schema != kCalibration && !side.content.find("result"))
    refuse("an answer without a result");
  return side;
}

/// The scenario with every default written, and what follows from it by each verb that
/// answers for its system.
report::Value plan_of(Session& session, const Side& side) {
  const std::vector<InputError> problems = model::scenario_file_problems(side.file, session.catalog());
  if (!problems.empty()) throw problems.front();
  const model::Scenario scenario = model::load_scenario(side.file);
  report::SweepParts parts{session.speed_data(), {}};
  if (!scenario.model.ref.empty())
    parts.models.emplace(scenario.model.ref, model::find_model(session.catalog(), scenario.model.ref));
  report::Value out = report::Value::object();
  out.add("scenario",
          report::comparable(report::value_of_json(model::scenario_json(scenario, true), side.file)));
  for (const std::string& name : report::sweep_verb_names()) {
    const report::SweepVerb& verb = report::sweep_verb(name);
    if (!verb.finds_system) out.add(name, report::sweep_row(verb, scenario, parts));
  }
  return out;
}

/// Both sides as they are compared.
std::pair<report::Value, report::Value> views_of(Session& session, const Side& a, const Side& b) {
  if (a.schema == kScenario) return {plan_of(session, a), plan_of(session, b)};
  if (a.schema == kCalibration && a.content.find("result") && b.content.find("result")) {
    const model::Calibration before = model::read_calibration(a.file),
                             after = model::read_calibration(b.file);
    return {report::drift_view(before), report::drift_view(after, &before)};
  }
  return {report::comparable(a.content), report::comparable(b.content)};
}

Outcome run_compare(Session& session) {
  const Arguments& arguments = session.arguments();
  Side a = read_side(*arguments.get("A")), b = read_side(*arguments.get("B"));
  if (a.schema != b.schema) {
    throw InputError(InputError::Kind::content,
                     fmt::format("{} holds {}, {} holds {}", a.file, a.schema, b.file, b.schema),
                     "two documents of one kind");
  }
  const auto [left, right] = views_of(session, a, b);
  const double tolerance = arguments.number("tolerance").value_or(kRounding);
  const std::vector<report::Difference> found = report::differences(left, right, tolerance);
  Outcome outcome{session.new_document()};
  outcome.document.inputs.add("a", a.file)
      .add("b", b.file)
      .add("schema", a.schema)
      .add("tolerance", tolerance);
  report::describe_comparison(outcome.document, found, a.file, b.file, session.texts());
  if (!found.empty() && arguments.has("check")) outcome.exit_code = exit_code::kAnswerIsNo;
  return outcome;
}

}  // namespace

Verb compare_verb() {
  Verb verb;
  verb.name = "compare";
  verb.summary = "what two scenarios and their answers, two results or two calibrations differ in";
  verb.examples = {"roofplan compare lab.json 405b-two-boxes.json",
                   "roofplan compare before.json after.json --check --tolerance 0.02"};
  verb.positionals = {path("A", "a scenario, an answer in JSON or a calibration file").needed(),
                      path("B", "another of the same kind").needed()};
  verb.options = {
      flag("check", "exit code 1 where they differ"),
      number("tolerance", "relative difference of numbers that counts as none; default: rounding", 0, 1)};
  verb.run = run_compare;
  return verb;
}

}  // namespace roofplan::cli
