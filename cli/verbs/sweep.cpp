#include "cli/output/emit.hpp"
#include "cli/output/progress.hpp"
#include "cli/session.hpp"
#include "cli/verbs/common_options.hpp"
#include "cli/verbs/verbs.hpp"
#include "model/report/sweep_row.hpp"
#include "model/report/writer.hpp"
#include "model/sizing/sweep_grid.hpp"
#include "sim/kernel/ordered_loop.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <csignal>

namespace roofplan::cli {
namespace {

namespace report = model::report;

/// Set by an interrupt, and when nobody reads the rows any more.
std::atomic<bool> stopped{false};

extern "C" void on_sweep_interrupt(int) {
  stopped = true;
}

model::SweepGrid grid_of(Session& session) {
  std::vector<model::SweepAxis> axes;
  for (const std::string& text : session.arguments().all("vary")) axes.push_back(model::parse_axis(text));
  if (axes.empty()) {
    throw model::InputError(model::InputError::Kind::usage, "nothing varies",
                            "--vary path=values, for example --vary load.concurrency=1-64*2");
  }
  return {session.scenario(), std::move(axes)};
}

/// Every model that a point may name, read once.
report::ModelTable models_of(Session& session, const model::SweepGrid& grid) {
  report::ModelTable out;
  for (const model::SweepAxis& axis : grid.axes()) {
    if (axis.path != "model.ref") continue;
    for (const std::int64_t i : axis.values.telling())
      out.emplace(axis.values.at(i), model::find_model(session.catalog(), axis.values.at(i)));
  }
  const std::string& name = session.scenario().model.ref;
  if (out.empty() && !name.empty()) out.emplace(name, session.model());
  return out;
}

/// A name that nobody knows is refused before the first row.
void check_names(Session& session, const model::SweepGrid& grid) {
  session.check_names();
  for (const model::SweepAxis& axis : grid.axes()) {
    for (const std::int64_t i : axis.values.telling()) {
      model::Scenario one;
      model::set_field(one, axis.path, axis.values.at(i));
      const auto unknown = model::unknown_names(one, session.catalog());
      if (!unknown.empty()) throw unknown.front().error.at({"--vary", {}, 0});
    }
  }
}

/// A number where the text is one, so that rows of JSON hold numbers.
report::Value value_of(const std::string& text) {
  const char* end = text.data() + text.size();
  std::int64_t whole = 0;
  if (const auto r = std::from_chars(text.data(), end, whole); r.ec == std::errc() && r.ptr == end)
    return whole;
  double number = 0;
  const auto r = std::from_chars(text.data(), end, number);
  if (r.ec == std::errc() && r.ptr == end && std::abs(number) < 1e300) return number;
  return text;
}

/// What one sweep needs to make a row, shared by its threads.
struct Sweep {
  const model::SweepGrid& grid;
  const report::SweepVerb& verb;
  const report::SweepParts& parts;
  const report::TextTable& texts;
  std::string identity;
  std::int64_t first = 0, end = 0;

  report::Value row(std::int64_t point) const {
    report::Value out = report::Value::object();
    out.add("sweep", identity).add("points", grid.points()).add("point", point);
    const std::vector<std::string> chosen = grid.values(point);
    for (std::size_t i = 0; i < chosen.size(); ++i) out.add(grid.axes()[i].path, value_of(chosen[i]));
    const report::Value answer = report::sweep_row(verb, grid.scenario(chosen), parts);
    for (const report::Value::Member& member : answer.members()) {
      // A field that is varied and also an answer stands once, as varied.
      const bool varied = std::any_of(grid.axes().begin(), grid.axes().end(),
                                      [&](const model::SweepAxis& axis) { return axis.path == member.key; });
      if (!varied) out.add(member.key, member.value);
    }
    return out;
  }
};

std::string csv_header(const report::Value& row) {
  std::vector<std::string> keys;
  for (const report::Value::Member& member : row.members()) keys.push_back(member.key);
  return report::csv_line(keys);
}

std::string line_of(const report::Value& row, report::Format format, const report::TextTable& texts) {
  if (format == report::Format::jsonl) return report::to_json(row, texts) + "\n";
  std::vector<std::string> cells;
  for (const report::Value::Member& member : row.members())
    cells.push_back(report::csv_cell(member.value, texts));
  return report::csv_line(cells);
}

/// Rows made on all threads and handed on in order.
std::int64_t run_rows(const Sweep& sweep, int threads, bool quiet,
                      const std::function<std::string(std::int64_t)>& make,
                      const std::function<void(const std::string&)>& take) {
  Progress progress(sweep.end - sweep.first, quiet);
  return sim::ordered_loop(
      sweep.end - sweep.first, threads, make,
      [&](const std::string& text, std::int64_t rows) {
        take(text);
        progress.add(rows);
      },
      stopped);
}

int code_after(const Sweep& sweep, std::int64_t done, const Arguments& arguments) {
  if (done == sweep.end - sweep.first) return exit_code::kDone;
  if (!arguments.has("quiet"))
    write_stderr(fmt::format("stopped after {} of {} points", done, sweep.end - sweep.first));
  return done == 0 ? exit_code::kInterrupted : exit_code::kStopped;
}

/// Rows go out as they are made.
Outcome stream(Session& session, const Sweep& sweep, report::Format format, int threads) {
  Outcome outcome{session.new_document()};
  outcome.printed = true;
  bool unread = false;
  if (format == report::Format::csv && sweep.first < sweep.end)
    write_stdout(csv_header(sweep.row(sweep.first)));
  const std::int64_t done = run_rows(
      sweep, threads, session.arguments().has("quiet"),
      [&](std::int64_t i) { return line_of(sweep.row(sweep.first + i), format, sweep.texts); },
      [&](const std::string& lines) {
        if (!write_stdout(lines)) stopped = unread = true;
      });
  if (unread) return outcome;
  outcome.exit_code = code_after(sweep, done, session.arguments());
  return outcome;
}

report::Table table_of(const std::vector<report::Value>& rows, const Sweep& sweep) {
  constexpr std::size_t kNarrow = 10;
  report::Table table;
  if (rows.empty()) return table;
  const auto& members = rows.front().members();
  for (std::size_t i = 2; i < members.size(); ++i) {
    table.columns.emplace_back(model::as_is(members[i].key), report::Column::Align::right, "", i > kNarrow);
  }
  for (const report::Value& row : rows) {
    std::vector<report::Cell> cells;
    for (std::size_t i = 2; i < row.members().size(); ++i)
      cells.emplace_back(report::csv_cell(row.members()[i].value, sweep.texts));
    table.rows.push_back(std::move(cells));
  }
  return table;
}

/// All rows as one document, for files and for formats that cannot be streamed.
Outcome collect(Session& session, const Sweep& sweep, int threads) {
  Outcome outcome{session.new_document()};
  std::vector<report::Value> rows(static_cast<std::size_t>(sweep.end - sweep.first));
  const std::int64_t done = run_rows(
      sweep, threads, session.arguments().has("quiet"),
      [&](std::int64_t i) {
        rows[static_cast<std::size_t>(i)] = sweep.row(sweep.first + i);
        return std::string();
      },
      [](const std::string&) {});
  rows.resize(static_cast<std::size_t>(done));
  report::Document& document = outcome.document;
  document.inputs = report::value_of_json(model::scenario_json(session.scenario()), "scenario");
  document.blocks.emplace_back(table_of(rows, sweep));
  document.result.add("rows", report::Value::list(std::move(rows)));
  document.main_list = "rows";
  outcome.exit_code = code_after(sweep, done, session.arguments());
  return outcome;
}

Outcome run_sweep(Session& session) {
  const Arguments& arguments = session.arguments();
  const model::SweepGrid grid = grid_of(session);
  const report::SweepVerb& verb = report::sweep_verb(arguments.get_or("verb", "speed"));
  const model::SpeedData& data = session.speed_data();
  data.load_all();
  check_names(session, grid);
  const report::Tool tool = session.new_document().tool;
  const report::SweepParts parts{data, models_of(session, grid)};
  Sweep sweep{grid, verb, parts, session.texts(), grid.identity(verb.name + tool.version + tool.data)};
  const model::SweepShard shard = model::parse_shard(arguments.get_or("shard", "1/1"));
  sweep.first = shard.first(grid.points());
  sweep.end = shard.end(grid.points());
  std::signal(SIGINT, on_sweep_interrupt);
  const int threads = sim::thread_count(arguments.count("threads").value_or(0));
  const report::Format format = report::parse_format(arguments.get_or("output", "jsonl"));
  const bool streams = format == report::Format::jsonl || format == report::Format::csv;
  if (streams && !arguments.has("out")) return stream(session, sweep, format, threads);
  return collect(session, sweep, threads);
}

}  // namespace

Verb sweep_verb() {
  Verb verb;
  verb.name = "sweep";
  verb.summary = "one row for each combination of values, streamed as JSONL or CSV";
  verb.examples = {
      "roofplan sweep lab.json --vary load.concurrency=1-16*2",
      "roofplan sweep lab.json --vary system.count=1,2,4 --vary load.prompt_tokens=1024-8192+1024 -o csv",
      "roofplan sweep lab.json --vary load.concurrency=1-64+1 --verb fit --shard 2/8"};
  verb.positionals = {path("SCENARIO", "a scenario file; roofplan scenario --sample prints some")};
  verb.options = {text("vary", "a field and its values: path=1,2,4, path=1-8+1 or path=1-64*2")
                      .many()
                      .value("PATH=GRAMMAR"),
                  word("verb", "whose scalars a row holds", report::sweep_verb_names()).value("VERB"),
                  text("shard", "only the i-th of n parts of the points; merge joins them").value("I/N")};
  verb.run = run_sweep;
  return verb;
}

}  // namespace roofplan::cli
