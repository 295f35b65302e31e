#include "model/report/validation_document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace roofplan::model::report {
namespace {

using Align = Column::Align;

/// `why_none` is the text where no row is counted.
Value errors_value(const ErrorStatistics& errors, const char* why_none) {
  Value out = Value::object();
  out.add("n", errors.n);
  if (errors.n > 0) {
    out.add("median_ape", errors.median_ape)
        .add("mean_ape", errors.mean_ape)
        .add("p90_ape", errors.p90_ape)
        .add("bias", errors.bias);
  } else {
    for (const char* key : {"median_ape", "mean_ape", "p90_ape", "bias"}) {
      out.add(key, Value::unknown(Text(why_none)));
    }
  }
  return out;
}

const char* none_passes(const ValidationScore& score) {
  return score.errors.n > 0 ? "validate.none_passes" : "validate.nothing_predicted";
}

Value score_value(const ValidationScore& score) {
  Value out = errors_value(score.errors, "validate.nothing_predicted");
  out.add("unsupported", score.unsupported)
      .add("undetermined", score.undetermined)
      .add("excluded", score.excluded);
  if (score.errors.n > 0)
    out.add("coverage", score.coverage ? Value(*score.coverage) : Value::unknown(Text("validate.no_range")));
  if (score.passing.n != score.errors.n)
    out.add("passes_rules", errors_value(score.passing, none_passes(score)));
  return out;
}

Value group_value(const ValidationGroup& group) {
  Value out = Value::object();
  for (const auto& [key, text] :
       {std::pair("system", &group.system), std::pair("model", &group.model),
        std::pair("engine", &group.engine), std::pair("operation", &group.operation)}) {
    if (!text->empty()) out.add(key, *text);
  }
  out.add("metric", group.metric);
  const Value score = score_value(group.score);
  for (const Value::Member& member : score.members()) out.add(member.key, member.value);
  return out;
}

std::string percent(double share) {
  return fmt::format("{:.1f}", 100.0 * share);
}

/// An error of `of`, "-" where it counts no row.
Cell error_cell(const ErrorStatistics& of, double ErrorStatistics::*error) {
  return Cell(of.n > 0 ? percent(of.*error) : "-");
}

/// Median, mean, 90th percentile and bias.
std::vector<Cell> error_cells(const ErrorStatistics& of) {
  return {error_cell(of, &ErrorStatistics::median_ape), error_cell(of, &ErrorStatistics::mean_ape),
          error_cell(of, &ErrorStatistics::p90_ape), error_cell(of, &ErrorStatistics::bias)};
}

std::vector<Cell> score_cells(std::string name, const std::string& metric, const ValidationScore& score) {
  const std::size_t aside = score.unsupported + score.undetermined + score.excluded;
  std::vector<Cell> cells{Cell(std::move(name)), Cell(metric), Cell(fmt::format("{}", score.errors.n))};
  for (Cell& cell : error_cells(score.errors)) cells.push_back(std::move(cell));
  cells.emplace_back(score.coverage ? percent(*score.coverage) : "-");
  cells.emplace_back(fmt::format("{}", aside));
  return cells;
}

std::string group_name(const ValidationGroup& group) {
  std::string name;
  for (const std::string* part : {&group.system, &group.model, &group.engine, &group.operation}) {
    if (!part->empty()) name += (name.empty() ? "" : " ") + *part;
  }
  return name;
}

Table score_table(const Validation& validation) {
  Table table;
  table.columns = {Column(Text("validate.group")),
                   Column(Text("validate.metric")),
                   Column(Text("validate.rows"), Align::right),
                   Column(Text("validate.median"), Align::right, "%"),
                   Column(Text("validate.mean"), Align::right, "%"),
                   Column(Text("validate.p90"), Align::right, "%"),
                   Column(Text("validate.bias"), Align::right, "%"),
                   Column(Text("validate.coverage"), Align::right, "%"),
                   Column(Text("validate.aside"), Align::right)};
  for (const ValidationGroup& group : validation.groups) {
    table.rows.push_back(score_cells(group_name(group), group.metric, group.score));
  }
  if (validation.operations.size() > 1) {
    for (const auto& [metric, operation, score] : validation.operations)
      table.rows.push_back(score_cells("+ " + operation, metric, score));
  }
  for (const auto& [metric, score] : validation.overall) {
    table.rows.push_back(score_cells("= " + metric, metric, score));
    for (Cell& cell : table.rows.back()) cell.tone = Tone::strong;
  }
  table.footnotes = {Text("validate.footnote")};
  return table;
}

/// Rows that pass the rules, where any rule was broken.
Table passing_table(const Validation& validation) {
  Table table;
  table.title = Text("validate.passing");
  table.columns = {Column(Text("validate.group")),
                   Column(Text("validate.rows"), Align::right),
                   Column(Text("validate.median"), Align::right, "%"),
                   Column(Text("validate.mean"), Align::right, "%"),
                   Column(Text("validate.p90"), Align::right, "%"),
                   Column(Text("validate.bias"), Align::right, "%")};
  const auto add = [&](const std::string& name, const ErrorStatistics& e) {
    table.rows.push_back({Cell(name), Cell(fmt::format("{}", e.n))});
    for (Cell& cell : error_cells(e)) table.rows.back().push_back(std::move(cell));
  };
  for (const auto& [metric, operation, score] : validation.operations)
    add(metric + " " + operation, score.passing);
  for (const auto& [metric, score] : validation.overall) add(metric, score.passing);
  return table;
}

Table count_table(const char* head, const std::map<std::string, std::size_t>& counts) {
  Table table;
  table.columns = {Column(Text(std::string(head))), Column(Text("validate.rows"), Align::right)};
  for (const auto& [text, count] : counts) table.rows.push_back({Cell(text), Cell(fmt::format("{}", count))});
  return table;
}

Value counts_value(const std::map<std::string, std::size_t>& counts) {
  Value out = Value::object();
  for (const auto& [text, count] : counts) out.add(text, count);
  return out;
}

/// Rows by the value of a column, in the order of appearance.
struct RowsOfValue {
  std::string value;
  std::vector<RowPrediction> fitted, left_out;
};

std::vector<RowsOfValue> by_value(const std::string& column, std::span<const RowPrediction> fitted,
                                  std::span<const RowPrediction> left_out) {
  std::vector<RowsOfValue> out;
  const auto value_of = [&](const RowPrediction& row) { return column == "model" ? row.model : row.system; };
  const auto find = [&](const RowPrediction& row) {
    return std::find_if(out.begin(), out.end(), [&](const auto& v) { return v.value == value_of(row); });
  };
  for (const RowPrediction& row : left_out) {
    if (find(row) == out.end()) out.push_back({value_of(row), {}, {}});
    find(row)->left_out.push_back(row);
  }
  for (const RowPrediction& row : fitted)
    if (const auto found = find(row); found != out.end()) found->fitted.push_back(row);
  return out;
}

void add_left_out(Table& table, Value& list, const std::string& key, const std::string& value,
                  const Validation& fitted, const Validation& left_out) {
  for (std::size_t i = 0; i < left_out.overall.size(); ++i) {
    const auto& [metric, score] = left_out.overall[i];
    const auto same = std::find_if(fitted.overall.begin(), fitted.overall.end(),
                                   [&](const auto& entry) { return entry.first == metric; });
    if (score.errors.n == 0 || same == fitted.overall.end()) continue;
    Value entry = Value::object();
    entry.add(key, value).add("metric", metric);
    const Value errors = score_value(score);
    for (const Value::Member& member : errors.members()) entry.add(member.key, member.value);
    entry.add("fitted", score_value(same->second));
    list.push(std::move(entry));
    table.rows.push_back({Cell(value), Cell(metric), Cell(fmt::format("{}", score.errors.n)),
                          error_cell(same->second.errors, &ErrorStatistics::median_ape),
                          error_cell(same->second.errors, &ErrorStatistics::p90_ape),
                          error_cell(score.errors, &ErrorStatistics::median_ape),
                          error_cell(score.errors, &ErrorStatistics::p90_ape),
                          error_cell(score.passing, &ErrorStatistics::median_ape),
                          error_cell(score.passing, &ErrorStatistics::p90_ape)});
  }
}

}  // namespace

void describe_left_out(Document& document, const std::string& column, std::span<const RowPrediction> fitted,
                       std::span<const RowPrediction> left_out) {
  Table table;
  table.title = Text("validate.left_out", {{"column", column}});
  table.columns = {Column(Text("validate.group")),
                   Column(Text("validate.metric")),
                   Column(Text("validate.rows"), Align::right),
                   Column(Text("validate.fitted_median"), Align::right, "%"),
                   Column(Text("validate.fitted_p90"), Align::right, "%"),
                   Column(Text("validate.without_median"), Align::right, "%"),
                   Column(Text("validate.without_p90"), Align::right, "%"),
                   Column(Text("validate.passing_median"), Align::right, "%"),
                   Column(Text("validate.passing_p90"), Align::right, "%")};
  Value list = Value::list(), overall = Value::list();
  std::vector<RowPrediction> all_fitted, all_left_out;
  for (const RowsOfValue& rows : by_value(column, fitted, left_out)) {
    add_left_out(table, list, column, rows.value, validate(rows.fitted), validate(rows.left_out));
    all_fitted.insert(all_fitted.end(), rows.fitted.begin(), rows.fitted.end());
    all_left_out.insert(all_left_out.end(), rows.left_out.begin(), rows.left_out.end());
  }
  add_left_out(table, overall, column, "=", validate(all_fitted), validate(all_left_out));
  document.result.add("left_out", std::move(list)).add("left_out_overall", std::move(overall));
  document.blocks.emplace_back(std::move(table));
}

void describe_validation(Document& document, const Validation& validation) {
  Value overall = Value::object(), operations = Value::list(), groups = Value::list();
  for (const auto& [metric, score] : validation.overall) {
    Value of_metric = score_value(score);
    if (!of_metric.find("passes_rules"))
      of_metric.add("passes_rules", errors_value(score.passing, none_passes(score)));
    overall.add(metric, std::move(of_metric));
  }
  for (const auto& [metric, operation, score] : validation.operations)
    operations.push(group_value({{}, {}, {}, operation, metric, score}));
  for (const ValidationGroup& group : validation.groups) groups.push(group_value(group));
  document.result.add("overall", std::move(overall))
      .add("operations", std::move(operations))
      .add("groups", std::move(groups))
      .add("reasons", counts_value(validation.reasons))
      .add("rules", counts_value(validation.rules));
  document.main_list = "groups";
  document.blocks.emplace_back(score_table(validation));
  if (!validation.rules.empty()) {
    document.blocks.emplace_back(passing_table(validation));
    document.blocks.emplace_back(count_table("validate.rule", validation.rules));
  }
  if (!validation.reasons.empty())
    document.blocks.emplace_back(count_table("validate.reason", validation.reasons));
}

void describe_calibration(Document& document, const Calibration& calibration) {
  const Value whole = value_of_json(calibration_text(calibration), "calibration");
  if (const Value* result = whole.find("result")) document.result = *result;
  Table table;
  table.title = Text("calibrate.title", {{"system", calibration.device.system}});
  table.columns = {Column(Text("calibrate.law")), Column(Text("calibrate.value")),
                   Column(Text("calibrate.fitted"), Align::right),
                   Column(Text("calibrate.deviation"), Align::right, "%")};
  for (const CalibratedLaw& law : calibration.fit) {
    for (const CalibratedValue& v : law.values) {
      const bool fitted = v.relative_std > 0.0;
      table.rows.push_back({Cell(law.law), Cell(v.name),
                            Cell(fmt::format("{:.4g}{}", v.value, v.unit == "1" ? "" : " " + v.unit)),
                            v.determined ? Cell(fitted ? percent(v.relative_std) : "-")
                                         : Cell(Text("calibrate.undetermined"), Tone::caution)});
    }
    if (law.residuals.n == 0) continue;
    table.footnotes.push_back(Text("calibrate.residuals", {{"law", law.law},
                                                           {"points", law.residuals.n},
                                                           {"median", percent(law.residuals.median_ape)},
                                                           {"p90", percent(law.residuals.p90_ape)}}));
  }
  document.blocks.emplace_back(std::move(table));
}

}  // namespace roofplan::model::report
