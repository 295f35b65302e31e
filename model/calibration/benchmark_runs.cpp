#include "model/calibration/benchmark_runs.hpp"

#include "model/json/json.hpp"

#include <algorithm>

namespace roofplan::model {
namespace {

constexpr std::int64_t kMost = 1'000'000'000;

BenchmarkRun read_run(const JsonReader& entry, const Sources& sources) {
  BenchmarkRun run;
  run.name = entry.at("name").as_string();
  run.cited_as = entry.at("cited_as").as_string();
  run.source = sources.at(entry.at("source").as_string()).id;
  entry.at("note").as_string();
  run.attention_dp_with_experts = entry.at("attention_dp_with_experts").as_bool();
  for (const JsonReader& one : entry.at("cache").elements()) {
    run.cache.push_back(
        {one.at("models").as_string(), one.at("family").as_string(), one.at("format").as_string()});
    one.finish();
  }
  for (const JsonReader& one : entry.at("requests").elements()) {
    const std::int64_t prompt = one.at("prompt").as_integer(1, kMost);
    const std::int64_t output = one.at("output").as_integer(1, kMost);
    run.requests[{prompt, output}] = one.at("count").as_integer(1, kMost);
    one.finish();
  }
  entry.finish();
  return run;
}

}  // namespace

std::optional<std::int64_t> BenchmarkRun::requests_of(std::int64_t prompt, std::int64_t output) const {
  const auto found = requests.find({prompt, output});
  return found != requests.end() ? std::optional(found->second) : std::nullopt;
}

std::optional<std::string> BenchmarkRun::cache_of(std::string_view model, std::string_view family) const {
  const auto found = std::find_if(cache.begin(), cache.end(), [&](const Cache& c) {
    return model.starts_with(c.models) && c.family == family;
  });
  return found != cache.end() ? std::optional(found->format) : std::nullopt;
}

BenchmarkRuns::BenchmarkRuns(const DataFiles& files, const Sources& sources) {
  const std::string path = "benchmarks.json";
  const std::string file = files.shown_path(path);
  const Json json = parse_json(files.text(path), file);
  const JsonReader root(json, file);
  root.at("schema").as_word({"roofplan.benchmarks"});
  root.at("schema_version").as_integer(1, 1);
  for (const JsonReader& entry : root.at("runs").elements()) runs_.push_back(read_run(entry, sources));
  root.finish();
}

const BenchmarkRun* BenchmarkRuns::cited(std::string_view source) const {
  const auto found = std::find_if(runs_.begin(), runs_.end(), [&](const BenchmarkRun& run) {
    return source.find(run.cited_as) != std::string_view::npos;
  });
  return found != runs_.end() ? &*found : nullptr;
}

}  // namespace roofplan::model
