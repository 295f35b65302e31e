#pragma once

#include "model/acceptance/evidence.hpp"

#include <optional>
#include <string>

namespace roofplan::model {

/// What a log of nccl-tests shows of which collective it ran.
struct RunSigns {
  std::optional<Collective> said;  ///< by the program's name
  std::string reduction;           ///< "sum", "none"
  bool rooted = false;             ///< a root rank is printed
  bool in_place = true;            ///< results in place were checked, as all-to-all does not
  std::string file;                ///< name of the log
};

/// Settles which collective a run is and on how many ranks: from the program's name where it stands, else the
/// file's name, else what is reduced, the root and the ratio of bus to algorithm bandwidth (nccl-tests,
/// doc/PERFORMANCE.md: 2(n-1)/n, (n-1)/n or 1). What contradicts the ratio is not believed. Where the ranks
/// are not listed, their number follows from the ratio as far as the printed digits tell neighbours apart.
void identify(CollectiveRun& run, const RunSigns& signs);

/// Takes out rows whose bus bandwidth is not the algorithm bandwidth times the collective's factor; how many.
std::size_t drop_contradictions(CollectiveRun& run);

}  // namespace roofplan::model
