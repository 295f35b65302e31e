#include "model/calibration/validate.hpp"

#include "cli/session.hpp"
#include "cli/verbs/verbs.hpp"
#include "model/calibration/range_fit.hpp"
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

/// Rows predicted by fits without their model or system; none where nothing is left out.
std::vector<RowPrediction> rows_left_out(const std::vector<CsvTable>& tables,
                                         const CalibrationSet& calibrations, const std::string& column) {
  std::vector<RowPrediction> out;
  for (const CsvTable& table : tables) {
    const auto& predict = model::layout_of(table).leave_out;
    if (column.empty() || !predict) continue;
    const auto more = predict(table, calibrations, column);
    out.insert(out.end(), more.begin(), more.end());
  }
  return out;
}

Outcome run_validate(Session& session) {
  const Arguments& arguments = session.arguments();
  CalibrationSet calibrations(session.catalog().files());
  for (const std::string& file : arguments.all("calibration"))
    calibrations.add(model::read_calibration(file));
  const model::ErrorRanges& ranges = session.speed_data().ranges();
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
  std::size_t taken = 0;
  const auto take = [&](const std::string& file, std::vector<RowPrediction> more) {
    named.push(file);
    for (RowPrediction& row : more) row.table = taken;
    ++taken;
    rows.insert(rows.end(), more.begin(), more.end());
  };
  for (const CsvTable& table : tables) {
    const auto predicted = model::predict_rows(table, calibrations, ranges);
    if (out) model::write_text_file(*out, model::predictions_csv(table, predicted));
    take(table.file(), predicted);
  }
  const std::string column = arguments.get("leave-out").value_or("");
  std::vector<RowPrediction> left_out = rows_left_out(tables, calibrations, column);
  model::apply_ranges(left_out, ranges);
  for (const std::string& file : files) {
    if (is_json(file)) take(file, model::replay_rows(model::read_calibration(file)));
  }
  if (rows.empty())
    throw model::InputError(model::InputError::Kind::content, "nothing in it can be held against the model",
                            "measurements, or a calibration with models replayed", {files.front(), {}, 0});
  if (const auto made = arguments.get("ranges"))
    model::write_text_file(*made, model::ranges_text(model::fit_ranges(rows), ranges.sources()));
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
      word("leave-out", "also predict each model or system by a fit without it", {"model", "system"}),
      path("ranges", "write the ranges that hold 80 % of the rows, as data/ranges.json").value("FILE.json")};
  verb.run = run_validate;
  return verb;
}

}  // namespace roofplan::cli
