#pragma once

#include "model/catalog/data_files.hpp"
#include "model/catalog/sources.hpp"
#include "model/hardware/figure.hpp"
#include "model/units/byte_count.hpp"
#include "model/units/quantity.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace roofplan::model {

/// How far a healthy delivery may stay below its promise, data/acceptance.json. Fractions unless named.
struct AcceptanceLimits {
  Figure<ByteCount> from_inside, from_outside;  ///< smallest message whose bandwidth is judged
  Figure<double> shortfall_inside, shortfall_outside;
  Figure<double> device_copy_share, host_copy_share;  ///< of the link's rate that a copy reaches
  Figure<double> copy_shortfall, port_shortfall;
  Figure<double> outlier_deviations;  ///< in robust standard deviations
  Figure<double> outlier_least;       ///< and at least this share of the median
  Figure<double> busy;                ///< utilisation that reads as busy all the time
  Figure<Watts> slow_state_power;     ///< GB10
  Figure<FlopPerSecond> slow_state_rate;
  Figure<double> least_work;     ///< SM activity of a busy accelerator
  Figure<double> nvlink_errors;  ///< replays or recoveries from which a link fails
  Figure<double> power_limit_shortfall, memory_shortfall;
  /// NVLinks between any two accelerators behind NVSwitches, by compute capability, "9.0".
  std::map<std::string, std::int64_t, std::less<>> nvlinks;
  std::vector<int> application_xids;  ///< that speak of the program, not of the hardware
  Provenance xid_source;
};

/// Throws InputError (content) with file and JSON pointer for a missing or unknown limit or a share outside
/// (0, 1].
AcceptanceLimits load_acceptance_limits(const DataFiles& files, const Sources& sources);

}  // namespace roofplan::model
