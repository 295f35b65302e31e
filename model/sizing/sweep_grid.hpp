#pragma once

#include "model/catalog/scenario.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace roofplan::model {

/// One field of a scenario and the values that it takes, as text that set_field reads.
struct SweepAxis {
  std::string path;
  std::vector<std::string> values;
};

/// Reads "path=GRAMMAR": values with commas between, each a word, "a-b+s" (from a to b in steps of s) or
/// "a-b*f" (each f times the one before, f > 1). Throws InputError (usage) for a path that there is not, with
/// the nearest, and for ranges that are empty or have more than a million values.
SweepAxis parse_axis(std::string_view text);

/// The cross product of axes over a scenario. The last axis runs fastest.
class SweepGrid {
 public:
  /// Throws InputError (usage) for a path that stands twice, a value that the field does not take, and more
  /// than a billion points.
  SweepGrid(Scenario base, std::vector<SweepAxis> axes);

  std::int64_t points() const { return points_; }
  const std::vector<SweepAxis>& axes() const { return axes_; }
  /// The value of each axis at a point, in their order.
  std::vector<std::string> values(std::int64_t point) const;
  Scenario scenario(std::int64_t point) const;
  /// Sixteen hexadecimal digits that tell this grid, with `salt`, from others (FNV-1a, 64 bits).
  std::string identity(std::string_view salt) const;

 private:
  Scenario base_;
  std::vector<SweepAxis> axes_;
  std::int64_t points_ = 1;
};

/// Consecutive points [first, end) of shard `index` (1 to `shards`) of a number of points.
struct SweepShard {
  std::int64_t index = 1, shards = 1;
  std::int64_t first(std::int64_t points) const;
  std::int64_t end(std::int64_t points) const;
};

/// Reads "2/8". Throws InputError (usage).
SweepShard parse_shard(std::string_view text);

}  // namespace roofplan::model
