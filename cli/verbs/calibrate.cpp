#include "cli/session.hpp"
#include "cli/verbs/verbs.hpp"
#include "model/calibration/table_layout.hpp"
#include "model/report/validation_document.hpp"

#include <fmt/format.h>

namespace roofplan::cli {
namespace {

using model::Calibration;
using model::CsvTable;
using model::InputError;

Outcome run_calibrate(Session& session) {
  const Arguments& arguments = session.arguments();
  std::vector<CsvTable> tables;
  for (const std::string& file : arguments.all("points")) tables.push_back(CsvTable::read(file));
  if (tables.empty()) {
    throw InputError(InputError::Kind::missing, "this program cannot measure the machine it runs on",
                     "--points FILE with points measured elsewhere");
  }
  std::vector<std::string> wanted;
  if (const auto system = arguments.get("system")) wanted.push_back(*system);
  const std::vector<Calibration> calibrations = model::calibrate_from(tables, wanted);
  if (calibrations.size() != 1) {
    std::vector<std::string> names;
    for (const Calibration& c : calibrations) names.push_back(c.device.system);
    throw InputError(InputError::Kind::usage, fmt::format("the points are of {} systems", names.size()),
                     fmt::format("--system with one of: {}", fmt::join(names, ", ")));
  }
  Outcome outcome{session.new_document()};
  outcome.document.verb = "calibration";  // the document is the calibration file
  outcome.document.inputs = model::report::Value::object();
  model::report::Value files = model::report::Value::list();
  for (const CsvTable& table : tables) files.push(table.file());
  outcome.document.inputs.add("points", std::move(files));
  model::report::describe_calibration(outcome.document, calibrations.front());
  return outcome;
}

}  // namespace

Verb calibrate_verb() {
  Verb verb;
  verb.name = "calibrate";
  verb.summary = "fit the parameters of the model to measured points";
  verb.examples = {"roofplan calibrate --help"};
  verb.options = {
      path("points", "a table of measured points, told by its header").value("FILE").many(),
      text("system", "the system to fit, as the tables call it; needed where they hold several").value("S")};
  verb.run = run_calibrate;
  return verb;
}

}  // namespace roofplan::cli
