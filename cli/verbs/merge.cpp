#include "cli/session.hpp"
#include "cli/verbs/verbs.hpp"
#include "model/json/json.hpp"
#include "model/report/sweep_merge.hpp"

namespace roofplan::cli {
namespace {

Outcome run_merge(Session& session) {
  std::vector<model::report::SweepFile> files;
  for (const std::string& file : session.arguments().all("FILE"))
    files.push_back({file, model::read_text_file(file)});
  model::report::MergedSweep merged = model::report::merge_sweeps(files);
  Outcome outcome{session.new_document()};
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
