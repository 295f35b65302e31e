#include "cli/output/emit.hpp"
#include "cli/session.hpp"
#include "cli/verbs/verbs.hpp"
#include "model/json/json.hpp"
#include "model/report/sweep_merge.hpp"
#include "model/report/writer.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace roofplan::cli {
namespace {

using model::report::Format;

/// The formats asked for: of standard output where it gets any, and of each file.
std::vector<Format> formats_asked(const Arguments& arguments) {
  std::vector<Format> out;
  const std::vector<std::string> files = arguments.all("out");
  const bool to_stdout = std::find(files.begin(), files.end(), "-") != files.end();
  if (files.empty() || to_stdout || arguments.has("output"))
    out.push_back(model::report::parse_format(arguments.get_or("output", "table")));
  for (const std::string& file : files)
    if (file != "-") out.push_back(model::report::format_of_file(file));
  return out;
}

/// Whether every output asked for is of the format of the shards: the rows then go out as they are. Throws
/// InputError (usage) for rows in the other format, and for rows beside outputs that hold them as one text.
bool wants_rows_alone(const Arguments& arguments, bool csv) {
  const Format rows = csv ? Format::csv : Format::jsonl, other = csv ? Format::jsonl : Format::csv;
  const std::vector<Format> asked = formats_asked(arguments);
  const bool alone = std::all_of(asked.begin(), asked.end(), [&](Format f) { return f == rows; });
  const auto has = [&](Format f) { return std::find(asked.begin(), asked.end(), f) != asked.end(); };
  const char* name = csv ? "CSV" : "JSONL";
  const char* flag = csv ? "-o csv" : "-o jsonl";
  if (has(other))
    throw model::InputError(
        model::InputError::Kind::usage,
        fmt::format("the shards are {}, and {} is asked for", name, csv ? "JSONL" : "CSV"),
        fmt::format("{}, or shards of sweep {}", flag, csv ? "-o jsonl" : "-o csv"));
  if (!alone && has(rows))
    throw model::InputError(model::InputError::Kind::usage,
                            fmt::format("rows of {} are asked for beside another format", name),
                            fmt::format("{} and files of {} alone", flag, name));
  return alone;
}

Outcome run_merge(Session& session) {
  std::vector<model::report::SweepFile> files;
  for (const std::string& file : session.arguments().all("FILE"))
    files.push_back({file, model::read_text_file(file)});
  model::report::MergedSweep merged = model::report::merge_sweeps(files);
  Outcome outcome{session.new_document()};
  if (wants_rows_alone(session.arguments(), merged.csv)) {
    outcome.printed = true;
    if (session.arguments().has("output")) write_stdout(merged.text);
    for (const std::string& file : session.arguments().all("out"))
      if (file != "-") write_output(file, merged.text);
    return outcome;
  }
  outcome.document.result.add("sweep", merged.sweep).add("points", merged.points).add("text", merged.text);
  outcome.document.blocks.emplace_back(model::report::Verbatim{std::move(merged.text)});
  return outcome;
}

}  // namespace

Verb merge_verb() {
  Verb verb;
  verb.name = "merge";
  verb.summary = "the shards of a sweep joined, its rows in order";
  verb.examples = {"roofplan merge part1.jsonl part2.jsonl"};
  verb.positionals = {path("FILE", "rows that sweep --shard printed, as JSONL or CSV").needed().many()};
  verb.run = run_merge;
  return verb;
}

}  // namespace roofplan::cli
