#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace roofplan::model::report {

/// The rows that one shard of a sweep printed.
struct SweepFile {
  std::string name;
  std::string text;
};

struct MergedSweep {
  std::string sweep;  ///< identity
  std::int64_t points = 0;
  bool csv = false;
  std::string text;  ///< all rows in order, with a header where CSV
};

/// Joins shards given in any order, JSONL or CSV. Throws InputError (content) with file and line: rows of
/// different sweeps or layouts, a point that stands twice, points that are missing, lines that are no rows.
MergedSweep merge_sweeps(const std::vector<SweepFile>& files);

}  // namespace roofplan::model::report
