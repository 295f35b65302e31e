#pragma once

#include "model/acceptance/acceptance.hpp"

#include <span>
#include <string>
#include <vector>

namespace roofplan::model {

/// What was measured on so many nodes, beside what is expected of them.
struct ScalingMeasurement {
  std::int64_t nodes = 1;
  double measured = 0;
  std::optional<double> expected;
  double tolerance = 0;  ///< share by which the measured value may stay below
};

/// Tells a slow node from a slow fabric by the pattern over node counts: a shortfall that is there at the
/// smallest count and stays the same is a node's; one that starts at the second count, or grows, is the
/// fabric's; one that starts later and stays the same came in with a node. Measurements by rising count.
/// Without expectations the first count stands for what a node does, and the rest for multiples of it: the
/// level itself is then not judged.
std::vector<ScalingVerdict> judge_scaling(std::span<const ScalingMeasurement> measurements,
                                          const std::string& quantity, const std::string& unit);

/// The collectives of the logs by number of hosts, each kind and largest message a series where it was run
/// on at least two counts. The median counts where there are several runs of one count.
void check_scaling(const Evidence& evidence, const Promise& promise, Acceptance& acceptance);

}  // namespace roofplan::model
