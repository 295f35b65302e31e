#pragma once

#include "model/acceptance/evidence.hpp"

#include <string>
#include <vector>

namespace roofplan::model {

/// A rank that runs where the order of all others does not put it.
struct MisplacedRank {
  int rank = 0;
  std::string host, place;  ///< where it runs; `place` is the device or bus id
  std::string usual_host, usual_place;
};

/// Ranks that were swapped: hosts should hold blocks of ranks (or take turns), and the ranks of a host its
/// devices by rising number or bus id. Where two thirds of the hosts share another order, that one is meant.
/// Empty for a run whose ranks are not all listed.
std::vector<MisplacedRank> misplaced_ranks(const CollectiveRun& run);

}  // namespace roofplan::model
