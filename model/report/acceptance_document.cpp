#include "model/report/acceptance_document.hpp"

#include "model/report/numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace roofplan::model::report {
namespace {

using Align = Column::Align;
using Verdict = Acceptance::Verdict;

constexpr std::size_t kRowsOfPage = 15;

Value reading_value(const Check::Reading& reading) {
  if (const double* number = std::get_if<double>(&reading)) return *number;
  if (const std::string* words = std::get_if<std::string>(&reading)) return *words;
  return Value::unknown(Text("accept.not_measured"));
}

std::string reading_text(const Check::Reading& reading, const std::string& unit) {
  if (const std::string* words = std::get_if<std::string>(&reading)) return *words;
  const double* number = std::get_if<double>(&reading);
  if (number == nullptr) return "-";
  return unit.empty() ? number_text(*number) : fmt::format("{} {}", number_text(*number), unit);
}

Value text_or(const std::string& text, const char* reason) {
  return text.empty() ? Value::unknown(Text(reason)) : Value(text);
}

Value check_value(const Check& check) {
  Value value = Value::object();
  value.add("name", check.name)
      .add("detail", text_or(check.detail, "accept.no_detail"))
      .add("measured", reading_value(check.measured))
      .add("expected", std::holds_alternative<std::monostate>(check.expected)
                           ? Value::unknown(Text("accept.no_expectation"))
                           : reading_value(check.expected))
      .add("unit", text_or(check.unit, "accept.no_unit"))
      .add("tolerance", check.tolerance)
      .add("pass", check.pass ? Value(*check.pass) : Value::unknown(check.reason))
      .add("node", text_or(check.node, "accept.no_node"))
      .add("part", text_or(check.part, "accept.no_part"))
      .add("reason", check.reason.empty() ? Value() : Value(check.reason));
  return value;
}

Value outlier_value(const Outlier& outlier) {
  return Value::object()
      .add("kind", outlier.kind)
      .add("name", outlier.name)
      .add("node", text_or(outlier.node, "accept.no_node"))
      .add("part", text_or(outlier.part, "accept.no_part"))
      .add("measured", reading_value(outlier.measured))
      .add("usual", reading_value(outlier.usual))
      .add("unit", text_or(outlier.unit, "accept.no_unit"))
      .add("reason", outlier.reason);
}

Value scaling_value(const ScalingVerdict& point) {
  return Value::object()
      .add("quantity", point.quantity)
      .add("unit", text_or(point.unit, "accept.no_unit"))
      .add("nodes", point.nodes)
      .add("expected", point.expected)
      .add("measured", point.measured)
      .add("share", point.share)
      .add("tolerance", point.tolerance)
      .add("level_known", point.level_known)
      .add("verdict", to_text(point.state));
}

Value file_value(const LogFile& file) {
  Value problems = Value::list();
  for (const LogProblem& problem : file.problems) problems.push(problem.text);
  return Value::object()
      .add("file", file.name)
      .add("lines", file.lines)
      .add("tools", Value::list_of(file.tools))
      .add("damaged", file.damaged())
      .add("problems", std::move(problems));
}

template <class Items, class Make>
Value list_of(const Items& items, Make make) {
  Value list = Value::list();
  for (const auto& item : items) list.push(make(item));
  return list;
}

/// Node and part, "node07 GPU 3".
std::string where_of(const std::string& node, const std::string& part) {
  if (node.empty()) return part.empty() ? "-" : part;
  return part.empty() ? node : node + " " + part;
}

void note_rest(Table& table, std::size_t all) {
  if (all > kRowsOfPage) table.footnotes.push_back(Text("accept.more", {{"count", all - kRowsOfPage}}));
}

Table failure_table(const Acceptance& acceptance) {
  Table table;
  table.title = Text("accept.failures");
  table.columns = {Column(Text("accept.check")), Column(Text("accept.where")),
                   Column(Text("accept.measured"), Align::right),
                   Column(Text("accept.expected"), Align::right), Column(Text("accept.reason"))};
  for (const Check& check : acceptance.checks) {
    if (check.pass != false) continue;
    if (table.rows.size() == kRowsOfPage) break;
    const std::string name =
        check.detail.empty() ? check.name : fmt::format("{} ({})", check.name, check.detail);
    table.rows.push_back({Cell(name), Cell(where_of(check.node, check.part)),
                          Cell(reading_text(check.measured, check.unit), Tone::bad),
                          Cell(reading_text(check.expected, check.unit)), Cell(check.reason)});
  }
  note_rest(table, acceptance.failed_checks());
  return table;
}

Table outlier_table(const Acceptance& acceptance) {
  Table table;
  table.title = Text("accept.outliers");
  table.columns = {Column(Text("accept.kind")),
                   Column(Text("accept.where")),
                   Column(Text("accept.check")),
                   Column(Text("accept.measured"), Align::right),
                   Column(Text("accept.usual"), Align::right),
                   Column(Text("accept.reason"))};
  for (const Outlier& outlier : acceptance.outliers) {
    if (table.rows.size() == kRowsOfPage) break;
    table.rows.push_back({Cell(outlier.kind, Tone::bad), Cell(where_of(outlier.node, outlier.part)),
                          Cell(outlier.name), Cell(reading_text(outlier.measured, outlier.unit)),
                          Cell(reading_text(outlier.usual, outlier.unit)), Cell(outlier.reason)});
  }
  note_rest(table, acceptance.outliers.size());
  return table;
}

Table scaling_table(const Acceptance& acceptance) {
  Table table;
  table.title = Text("accept.scaling");
  table.columns = {Column(Text("accept.quantity")),
                   Column(Text("accept.nodes"), Align::right),
                   Column(Text("accept.expected"), Align::right),
                   Column(Text("accept.measured"), Align::right),
                   Column(Text("accept.share"), Align::right),
                   Column(Text("accept.finding"))};
  bool level_known = true, node = false, fabric = false;
  for (const ScalingVerdict& point : acceptance.scaling) {
    const bool ok = point.state == ScalingVerdict::State::ok;
    table.rows.push_back({Cell(point.quantity), Cell(grouped(point.nodes)),
                          Cell(reading_text(point.expected, point.unit)),
                          Cell(reading_text(point.measured, point.unit)), Cell(percent_text(point.share)),
                          Cell(std::string(to_text(point.state)), ok ? Tone::good : Tone::bad)});
    level_known = level_known && point.level_known;
    node = node || point.state == ScalingVerdict::State::slow_node;
    fabric = fabric || point.state == ScalingVerdict::State::slow_fabric;
  }
  if (node) table.footnotes.push_back(Text("accept.scaling.node"));
  if (fabric) table.footnotes.push_back(Text("accept.scaling.fabric"));
  if (!level_known) table.footnotes.push_back(Text("accept.scaling.level"));
  return table;
}

struct CheckGroup {
  std::size_t judged = 0, failed = 0, open = 0;
  double worst = 2;  ///< measured / expected
  Text why_open;
};

/// A line for each kind of check, with its worst ratio of measured to expected.
Table summary_table(const Acceptance& acceptance) {
  std::map<std::string, CheckGroup> groups;
  for (const Check& check : acceptance.checks) {
    CheckGroup& group = groups[check.name];
    if (!check.pass) {
      ++group.open;
      group.why_open = check.reason;
      continue;
    }
    ++group.judged;
    group.failed += *check.pass ? 0 : 1;
    const double* measured = std::get_if<double>(&check.measured);
    const double* expected = std::get_if<double>(&check.expected);
    if (measured != nullptr && expected != nullptr && *expected > 0)
      group.worst = std::min(group.worst, *measured / *expected);
  }
  Table table;
  table.title = Text("accept.checks");
  table.columns = {Column(Text("accept.check")), Column(Text("accept.passed"), Align::right),
                   Column(Text("accept.failed"), Align::right), Column(Text("accept.open"), Align::right),
                   Column(Text("accept.worst"), Align::right)};
  for (const auto& [name, group] : groups) {
    table.rows.push_back(
        {Cell(name), Cell(grouped(static_cast<std::int64_t>(group.judged - group.failed))),
         Cell(grouped(static_cast<std::int64_t>(group.failed)), group.failed > 0 ? Tone::bad : Tone::plain),
         Cell(grouped(static_cast<std::int64_t>(group.open))),
         Cell(group.worst < 2 ? percent_text(group.worst) : "-")});
    if (group.open > 0)
      table.footnotes.push_back(Text("accept.why_open", {{"check", name}, {"reason", group.why_open}}));
  }
  return table;
}

Paragraph verdict_paragraph(const Acceptance& acceptance, const Evidence& evidence, const Promise& promise) {
  const std::vector<Text::Argument> arguments{{"system", promise.system->name},
                                              {"failed", acceptance.failed()},
                                              {"count", acceptance.judged()},
                                              {"outliers", acceptance.outliers.size()}};
  switch (verdict_of(acceptance, evidence)) {
    case Verdict::pass:
      return {Text("accept.verdict.pass", arguments), Tone::good};
    case Verdict::fail:
      return {Text("accept.verdict.fail", arguments), Tone::bad};
    case Verdict::incomplete:
      return {Text("accept.verdict.incomplete", arguments), Tone::caution};
  }
  return {};
}

/// One sentence a file.
void add_problems(Document& document, const Evidence& evidence) {
  for (const LogFile& file : evidence.files) {
    if (file.problems.empty()) continue;
    const auto damage = std::find_if(file.problems.begin(), file.problems.end(),
                                     [](const LogProblem& p) { return p.damaged; });
    const Text& first = damage != file.problems.end() ? damage->text : file.problems.front().text;
    if (file.problems.size() == 1) {
      document.warnings.push_back(Text("accept.problem", {{"file", file.name}, {"problem", first}}));
    } else {
      document.warnings.push_back(Text(
          "accept.problems", {{"file", file.name}, {"problem", first}, {"count", file.problems.size() - 1}}));
    }
  }
}

}  // namespace

void describe_acceptance(Document& document, const Acceptance& acceptance, const Evidence& evidence,
                         const Promise& promise) {
  document.result.add("verdict", to_text(verdict_of(acceptance, evidence)))
      .add("system", promise.system->id)
      .add("count", Value::known_or(promise.count, Text("accept.no_count")))
      .add("judged", acceptance.judged())
      .add("failed", acceptance.failed())
      .add("checks", list_of(acceptance.checks, check_value))
      .add("outliers", list_of(acceptance.outliers, outlier_value))
      .add("scaling", list_of(acceptance.scaling, scaling_value))
      .add("files", list_of(evidence.files, file_value));
  document.main_list = "checks";
  document.blocks.emplace_back(verdict_paragraph(acceptance, evidence, promise));
  if (!acceptance.outliers.empty()) document.blocks.emplace_back(outlier_table(acceptance));
  if (acceptance.failed_checks() > 0) document.blocks.emplace_back(failure_table(acceptance));
  if (!acceptance.scaling.empty()) document.blocks.emplace_back(scaling_table(acceptance));
  if (!acceptance.checks.empty()) document.blocks.emplace_back(summary_table(acceptance));
  for (const Text& remark : acceptance.remarks) document.warnings.push_back(remark);
  add_problems(document, evidence);
}

}  // namespace roofplan::model::report
