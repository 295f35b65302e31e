#include "model/report/scale_document.hpp"

#include "model/report/numbers.hpp"
#include "model/report/parallel_text.hpp"

#include <fmt/format.h>

namespace roofplan::model::report {
namespace {

using Align = Column::Align;

Value seconds_or(const std::optional<Seconds>& time, const char* reason) {
  return time ? Value(*time / unit::s) : Value::unknown(Text(reason));
}

/// Why an option has no exchange between boxes to be timed.
const char* no_exchange(const ScaleOption& option) {
  if (option.kind != ScaleOption::Kind::link) return "scale.not_linked";
  return option.speed.fits ? "scale.no_single" : "scale.does_not_fit";
}

const char* no_speed(const ScaleOption& option) {
  return option.speed.fits ? "speed.one_token" : "scale.does_not_fit";
}

const char* no_gain(const ScaleOption& option) {
  return option.tok_s_per_user ? "scale.no_single" : no_speed(option);
}

Value option_value(const ScaleOption& option) {
  Value out = Value::object();
  out.add("option", scale_word(option.kind))
      .add("system", option.system)
      .add("count", option.count)
      .add("fits", option.speed.fits)
      .add("deficit_bytes", option.speed.fit.deficit)
      .add("parallel", parallel_value(option.speed.parallel))
      .add("users_each", option.users_each)
      .add("tok_s_per_user", Value::known_or(option.tok_s_per_user, Text(no_speed(option))))
      .add("tok_s_total", Value::known_or(option.tok_s_total, Text("scale.does_not_fit")))
      .add("ttft_s", option.speed.fits ? Value(option.speed.state.ttft / unit::s)
                                       : Value::unknown(Text("scale.does_not_fit")))
      .add("gain", Value::known_or(option.gain, Text(no_gain(option))))
      .add("meets_target", option.meets_target)
      .add("misses", Value::list_of(option.misses))
      .add("exchange_s", seconds_or(option.exchange, no_exchange(option)))
      .add("break_even_exchange_s", seconds_or(option.break_even_exchange, no_exchange(option)));
  return out;
}

Value test_value(const ServerTest& test, const char* unit_suffix) {
  Value out = Value::object();
  out.add(std::string("value") + unit_suffix, Value::known_or(test.value, Text("scale.not_told")))
      .add(std::string("threshold") + unit_suffix, test.threshold)
      .add("holds", test.holds);
  return out;
}

Text option_name(const ScaleOption& option) {
  const char* key = "scale.option_single";
  if (option.kind == ScaleOption::Kind::separate) key = "scale.option_separate";
  if (option.kind == ScaleOption::Kind::servers) key = "scale.option_servers";
  if (option.kind == ScaleOption::Kind::link)
    key = option.speed.parallel.pp > 1 ? "scale.option_link_pp" : "scale.option_link_tp";
  return Text(key, {{"count", option.count}, {"system", option.system}});
}

Cell speed_cell(const std::optional<double>& value) {
  return value ? Cell(number_text(*value)) : Cell("-", Tone::faint);
}

Cell fits_cell(const ScaleOption& option) {
  if (option.speed.fits) return Cell(Text("scale.yes"), Tone::good);
  if (!option.speed.fit.legal) return Cell(Text("scale.impossible"), Tone::bad);
  return Cell(Text("scale.missing", {{"amount", option.speed.fit.deficit}}), Tone::bad);
}

Cell target_cell(const ScaleOption& option) {
  return option.meets_target ? Cell(Text("scale.yes"), Tone::good) : Cell(Text("scale.no"), Tone::bad);
}

Table option_table(const ScaleAnswer& answer) {
  Table table;
  table.title = Text("scale.options");
  table.columns = {Column(Text("scale.option")),
                   Column(Text("scale.fits")),
                   Column(Text("scale.per_user"), Align::right, "tok/s"),
                   Column(Text("scale.total"), Align::right, "tok/s"),
                   Column(Text("scale.target")),
                   Column(Text("scale.gain"), Align::right),
                   Column(Text("scale.exchange"), Align::right),
                   Column(Text("scale.break_even"), Align::right)};
  for (const ScaleOption& option : answer.options) {
    table.rows.push_back(
        {Cell(option_name(option)), fits_cell(option), speed_cell(option.tok_s_per_user),
         speed_cell(option.tok_s_total), target_cell(option),
         option.gain ? Cell(fmt::format("{:.2f}x", *option.gain)) : Cell("-", Tone::faint),
         option.exchange ? Cell(to_text(*option.exchange)) : Cell("-", Tone::faint),
         option.break_even_exchange ? Cell(to_text(*option.break_even_exchange)) : Cell("-", Tone::faint)});
  }
  table.footnotes = {Text("scale.note")};
  return table;
}

void add_test(Table& table, const char* label, const ServerTest& test, const char* unit_text) {
  const auto amount = [&](double v) { return fmt::format("{:g} {}", v, unit_text); };
  table.rows.push_back({Cell(Text(label)),
                        test.value ? Cell(amount(*test.value)) : Cell(Text("scale.not_told"), Tone::faint),
                        Cell(amount(test.threshold)),
                        test.holds ? Cell(Text("scale.yes"), Tone::good) : Cell(Text("scale.no"))});
}

Table test_table(const ScaleAnswer& answer) {
  Table table;
  table.title = Text("scale.tests");
  table.columns = {Column(Text("scale.test")), Column(Text("scale.here")), Column(Text("scale.threshold")),
                   Column(Text("scale.holds"))};
  add_test(table, "scale.test_users", answer.users, "");
  add_test(table, "scale.test_duty", answer.duty, "h/d");
  add_test(table, "scale.test_data", answer.data, "TB");
  const bool there = answer.operator_there.value_or(false);
  table.rows.push_back({Cell(Text("scale.test_operator")),
                        answer.operator_there ? Cell(Text(there ? "scale.yes" : "scale.no"))
                                              : Cell(Text("scale.not_told"), Tone::faint),
                        Cell(Text("scale.needed")),
                        there ? Cell(Text("scale.yes"), Tone::good) : Cell(Text("scale.no"))});
  return table;
}

}  // namespace

void describe_scale(Document& document, const ScaleAnswer& answer) {
  Value options = Value::list();
  for (const ScaleOption& option : answer.options) options.push(option_value(option));
  Value tests = Value::object();
  tests.add("users", test_value(answer.users, ""))
      .add("duty", test_value(answer.duty, "_hours_per_day"))
      .add("data", test_value(answer.data, "_tb"))
      .add("operator",
           answer.operator_there ? Value(*answer.operator_there) : Value::unknown(Text("scale.not_told")))
      .add("held", answer.tests_held)
      .add("needed", 2);
  document.result.add("advice", scale_word(answer.advice))
      .add("reason", answer.reason)
      .add("target_tok_s_per_user", answer.target_tok_s)
      .add("options", std::move(options))
      .add("server_tests", std::move(tests));
  document.main_list = "options";
  document.blocks.emplace_back(Paragraph{answer.reason, Tone::strong});
  document.blocks.emplace_back(option_table(answer));
  document.blocks.emplace_back(test_table(answer));
  document.warnings.insert(document.warnings.end(), answer.warnings.begin(), answer.warnings.end());
}

}  // namespace roofplan::model::report
