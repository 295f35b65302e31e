#pragma once

#include "model/acceptance/scaling.hpp"
#include "model/calibration/csv_table.hpp"

#include <functional>

namespace roofplan::model {

/// A table of measurements over node counts.
struct ScalingTable {
  std::string quantity, unit;  ///< the measured column's name; "GB/s" for bus bandwidths
  bool is_bus_bandwidth = false;
  std::vector<ScalingMeasurement> rows;  ///< by rising count; one each, the median of several
};

/// Reads `nodes`, a measured column (`measured`, else `tok_s`, `tokens_s`, `samples_s`, `throughput`,
/// `busbw_gb_s`, `busbw`, `value`) and, where there, `expected` or `predicted` (beside `measured` also
/// `tok_s`, as `speed --nodes -o csv` writes it) and `expected_low` or `tok_s_low`. `tolerance` where the
/// table has no low value. Throws InputError (content) with file, line and column.
ScalingTable read_scaling(const CsvTable& table, double tolerance);

/// Bus bandwidth of an 8 GiB all-reduce over so many whole systems, in GB/s.
double expected_bus_bandwidth(const Promise& promise, std::int64_t nodes);

}  // namespace roofplan::model
