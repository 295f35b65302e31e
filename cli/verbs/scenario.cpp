#include "cli/session.hpp"
#include "cli/verbs/verbs.hpp"
#include "model/catalog/scenario_names.hpp"

#include <fmt/format.h>

#include <string_view>

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
    list.push(report::Value::object()
                  .add("where", problem.where().to_string())
                  .add("message", problem.message())
                  .add("expected", problem.expected())
                  .add("nearest", report::Value::list_of(problem.nearest())));
  }
  return list;
}

Outcome check(Session& session, const std::string& file) {
  const std::vector<InputError> problems = model::scenario_file_problems(file, session.catalog());
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

/// What is printed comes from one of them.
void require_one_origin(const Arguments& arguments) {
  std::string first;
  for (const char* flag : {"ACTION", "sample", "schema", "scenario"}) {
    if (!arguments.has(flag)) continue;
    const std::string name = flag == std::string_view("ACTION") ? "check" : fmt::format("--{}", flag);
    if (!first.empty())
      throw InputError(InputError::Kind::usage, fmt::format("{} and {} exclude each other", first, name),
                       "one of them");
    first = name;
  }
}

Outcome run_scenario(Session& session) {
  const Arguments& arguments = session.arguments();
  require_one_origin(arguments);
  if (arguments.has("ACTION")) {
    const auto file = arguments.get("FILE");
    if (!file) throw InputError(InputError::Kind::usage, "scenario check needs FILE", "a scenario file");
    return check(session, *file);
  }
  if (arguments.has("schema")) return print_text(session, model::scenario_schema(), "schema");
  const bool complete = arguments.has("complete");
  if (const auto name = arguments.get("sample")) {
    const std::string text = model::sample_scenario(*name);
    const model::Scenario sample = model::parse_scenario(text, *name), set = session.with_flags(sample);
    return print_text(session, set == sample && !complete ? text : model::scenario_json(set, complete),
                      *name);
  }
  return print_text(session, model::scenario_json(session.scenario(), complete), "scenario");
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
