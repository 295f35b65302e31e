#include "cli/session.hpp"
#include "cli/verbs/verbs.hpp"
#include "model/json/json.hpp"

namespace roofplan::cli {
namespace {

using model::InputError;
using model::Text;
namespace report = model::report;

Outcome print_text(Session& session, const std::string& json, const std::string& name) {
  Outcome outcome{session.new_document()};
  outcome.document.result = report::value_of_json(json, name);
  outcome.document.blocks.emplace_back(report::Verbatim{json});
  return outcome;
}

report::Value problem_list(const std::vector<InputError>& problems) {
  report::Value list = report::Value::list();
  for (const InputError& problem : problems) {
    report::Value nearest = report::Value::list();
    for (const std::string& name : problem.nearest()) nearest.push(name);
    list.push(report::Value::object()
                  .add("where", problem.where().to_string())
                  .add("message", problem.message())
                  .add("expected", problem.expected())
                  .add("nearest", std::move(nearest)));
  }
  return list;
}

Outcome check(Session& session, const std::string& file) {
  const std::vector<InputError> problems = model::scenario_problems(model::read_text_file(file), file);
  Outcome outcome{session.new_document()};
  report::Document& document = outcome.document;
  document.inputs.add("file", file);
  document.result.add("ok", problems.empty()).add("problems", problem_list(problems));
  document.main_list = "problems";
  if (problems.empty()) {
    document.blocks.emplace_back(
        report::Paragraph{Text{"scenario.good", {{"file", file}}}, report::Tone::good});
    return outcome;
  }
  outcome.exit_code = exit_code::kBadContent;
  document.blocks.emplace_back(report::Paragraph{
      Text{"scenario.bad", {{"file", file}, {"count", problems.size()}}}, report::Tone::bad});
  report::Table table;
  table.columns = {report::Column(Text("scenario.problem"))};
  table.show_header = false;
  for (const InputError& problem : problems) table.rows.push_back({report::Cell(problem.what())});
  document.blocks.emplace_back(std::move(table));
  return outcome;
}

Outcome run_scenario(Session& session) {
  const Arguments& arguments = session.arguments();
  if (arguments.has("ACTION")) {
    const auto file = arguments.get("FILE");
    if (!file) throw InputError(InputError::Kind::usage, "scenario check needs FILE", "a scenario file");
    return check(session, *file);
  }
  if (arguments.has("schema")) return print_text(session, model::scenario_schema(), "schema");
  if (const auto name = arguments.get("sample")) {
    return print_text(session, model::sample_scenario(*name), *name);
  }
  return print_text(session, model::scenario_json(session.scenario(), arguments.has("complete")), "scenario");
}

}  // namespace

Verb scenario_verb() {
  Verb verb;
  verb.name = "scenario";
  verb.summary = "sample scenario files, and what is wrong with one";
  verb.examples = {"roofplan scenario --sample lab",
                   "roofplan scenario --set model.ref=llama-3.1-70b --set system.ref=gb10",
                   "roofplan scenario --schema"};
  verb.positionals = {word("ACTION", "check says what is wrong with FILE", {"check"}),
                      path("FILE", "a scenario file")};
  verb.options = {word("sample", "print a sample", model::sample_names()).value("NAME"),
                  flag("schema", "print the JSON Schema of scenario files"),
                  flag("complete", "print every key, defaults too")};
  verb.run = run_scenario;
  return verb;
}

}  // namespace roofplan::cli
