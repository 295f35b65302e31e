#include "cli/output/emit.hpp"
#include "cli/session.hpp"
#include "cli/verbs/verbs.hpp"
#include "model/json/json.hpp"
#include "model/report/sweep_merge.hpp"
#include "model/report/writer.hpp"

#include <algorithm>

namespace roofplan::cli {
namespace {

/// Whether every output asked for is of the kind that the shards are: the rows then go out as they are.
bool wants_rows_alone(const Arguments& arguments, const model::report::MergedSweep& merged) {
  using model::report::Format;
  const Format rows = merged.csv ? Format::csv : Format::jsonl;
  const std::vector<std::string> files = arguments.all("out");
  if (files.empty() || arguments.has("output")) {
    if (model::report::parse_format(arguments.get_or("output", "table")) != rows) return false;
  }
  return std::all_of(files.begin(), files.end(), [&](const std::string& file) {
    return file != "-" && model::report::format_of_file(file) == rows;
  });
}

Outcome run_merge(Session& session) {
  std::vector<model::report::SweepFile> files;
  for (const std::string& file : session.arguments().all("FILE"))
    files.push_back({file, model::read_text_file(file)});
  model::report::MergedSweep merged = model::report::merge_sweeps(files);
  Outcome outcome{session.new_document()};
  if (wants_rows_alone(session.arguments(), merged)) {
    outcome.printed = true;
    if (session.arguments().has("output")) write_stdout(merged.text);
    for (const std::string& file : session.arguments().all("out")) write_output(file, merged.text);
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
