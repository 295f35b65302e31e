#include "model/calibration/validate.hpp"

#include "cli/session.hpp"
#include "cli/verbs/verbs.hpp"
#include "model/json/json.hpp"
#include "model/report/validation_document.hpp"

namespace roofplan::cli {
namespace {

using model::CalibrationSet;
using model::CsvTable;
using model::RowPrediction;

bool is_json(const std::string& file) {
  return file.ends_with(".json");
}

/// The tables named, else the points that the program brings along.
std::vector<CsvTable> tables_of(Session& session, const std::vector<std::string>& files) {
  std::vector<CsvTable> tables;
  for (const std::string& file : files) {
    if (!is_json(file)) tables.push_back(CsvTable::read(file));
  }
  if (!files.empty()) return tables;
  const model::DataFiles& data = session.catalog().files();
  for (const std::string& path : data.in_folder("measured")) {
    tables.push_back(CsvTable::parse(data.text(path), data.shown_path(path)));
  }
  return tables;
}

Outcome run_validate(Session& session) {
  const Arguments& arguments = session.arguments();
  CalibrationSet calibrations(session.catalog().files());
  if (const auto file = arguments.get("calibration")) calibrations.add(model::read_calibration(*file));
  const std::vector<std::string> files = arguments.all("FILE");
  const std::vector<CsvTable> tables = tables_of(session, files);
  const auto out = arguments.get("predictions");
  if (out && tables.size() != 1) {
    throw model::InputError(model::InputError::Kind::usage, "--predictions adds columns to one table",
                            "one FILE.csv");
  }
  Outcome outcome{session.new_document()};
  model::report::Value named = model::report::Value::list();
  std::vector<RowPrediction> rows;
  const auto take = [&](const std::string& file, const std::vector<RowPrediction>& more) {
    named.push(file);
    rows.insert(rows.end(), more.begin(), more.end());
  };
  for (const CsvTable& table : tables) {
    const auto predicted = model::layout_of(table).predict(table, calibrations);
    if (out) model::write_text_file(*out, model::predictions_csv(table, predicted));
    take(table.file(), predicted);
  }
  std::vector<RowPrediction> left_out;
  const std::string column = arguments.get("leave-out").value_or("");
  for (const CsvTable& table : tables) {
    const auto& predict = model::layout_of(table).leave_out;
    if (column.empty() || !predict) continue;
    const auto more = predict(table, calibrations, column);
    left_out.insert(left_out.end(), more.begin(), more.end());
  }
  for (const std::string& file : files) {
    if (is_json(file)) take(file, model::replay_rows(model::read_calibration(file)));
  }
  outcome.document.inputs.add("files", std::move(named));
  model::report::describe_validation(outcome.document, model::validate(rows));
  if (!column.empty()) {
    outcome.document.inputs.add("leave_out", column);
    model::report::describe_left_out(outcome.document, column, rows, left_out);
  }
  return outcome;
}

}  // namespace

Verb validate_verb() {
  Verb verb;
  verb.name = "validate";
  verb.summary = "the model held against measurements";
  verb.examples = {"roofplan validate", "roofplan validate -o csv"};
  verb.positionals = {path("FILE",
                           "a table of measurements, told by its header, or a calibration file with the "
                           "models it replayed; default: the built-in points")
                          .many()};
  verb.options = {
      path("predictions", "write the table with predicted,low,high,reason added").value("FILE.csv"),
      word("leave-out", "also predict each model or system by a fit without it", {"model", "system"})};
  verb.run = run_validate;
  return verb;
}

}  // namespace roofplan::cli
