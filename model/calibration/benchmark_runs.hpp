#pragma once

#include "model/catalog/data_files.hpp"
#include "model/catalog/sources.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace roofplan::model {

/// How a publisher of throughputs runs them, where its tables do not say so row by row.
struct BenchmarkRun {
  /// A cache other than the engine's usual.
  struct Cache {
    std::string models;  ///< how their ids begin
    std::string family;  ///< of the chip
    std::string format;  ///< id of a number format
  };

  std::string name, source;  ///< source: id in data/sources.json
  std::string cited_as;      ///< part of what a table cites as its source
  bool attention_dp_with_experts =
      false;  ///< the stated ranks share the requests, not the heads, of MoE models
  std::vector<Cache> cache;
  std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t>
      requests;  ///< by tokens in and out; all queued

  /// Requests of a run of that length; nothing where the publisher does not say.
  std::optional<std::int64_t> requests_of(std::int64_t prompt, std::int64_t output) const;
  /// Format of the cache; nothing: the engine's usual.
  std::optional<std::string> cache_of(std::string_view model, std::string_view family) const;
};

/// data/benchmarks.json.
class BenchmarkRuns {
 public:
  /// Throws InputError (content) for a malformed file.
  BenchmarkRuns(const DataFiles& files, const Sources& sources);

  /// The runs that a table cites so as its source; nullptr: none that is known.
  const BenchmarkRun* cited(std::string_view source) const;

 private:
  std::vector<BenchmarkRun> runs_;
};

}  // namespace roofplan::model
