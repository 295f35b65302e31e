#pragma once

#include "model/acceptance/acceptance.hpp"

namespace roofplan::model {

// One function a kind of evidence; each adds its checks, outliers and remarks.

/// Bus bandwidth of the largest message of each run against fabric_time(), results, mapping and transport.
void check_collectives(const Evidence& evidence, const Promise& promise, Acceptance& acceptance);

/// A check of a number that passes from expected x (1 - tolerance) on.
Check at_least(std::string name, double measured, double expected, double tolerance, std::string unit);

/// The hosts of a run, each once, in order of rank.
std::vector<std::string> hosts_of(const CollectiveRun& run);

}  // namespace roofplan::model
