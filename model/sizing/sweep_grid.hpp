#pragma once

#include "model/catalog/scenario.hpp"
#include "model/sizing/sweep_values.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace roofplan::model {

/// One field of a scenario and the values that it takes.
struct SweepAxis {
  std::string path;
  SweepValues values;
};

/// Reads "path=values". Throws InputError (usage) for a path that there is not, with the nearest, and for
/// values as SweepValues does.
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
  /// With those values in the fields of the axes.
  Scenario scenario(const std::vector<std::string>& values) const;
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
