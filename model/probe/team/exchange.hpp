#pragma once

#include "model/probe/gpu/gpu_work.hpp"
#include "model/probe/measure.hpp"
#include "model/probe/team/team.hpp"

#include <memory>
#include <string>

namespace roofplan::probe {

/// How the processes of a team exchange: by MPI between memories of hosts, by NCCL between accelerators, and
/// in tests by threads. All ranks call the same in the same order.
class Exchange {
 public:
  virtual ~Exchange() = default;
  /// Makes a collective of so many bytes over the whole team ready. False where this rank cannot.
  virtual bool prepare(const CollectiveWork& work) = 0;
  /// Time of one execution on this rank; 0 where it failed.
  virtual Seconds run() = 0;
  /// Runs it once more and checks the result.
  virtual bool right() = 0;
};

/// Between the memories of the hosts, by the team itself.
std::unique_ptr<Exchange> host_exchange(Team& team);
/// Between accelerators, each process with the one of its local rank, by NCCL: the first rank's identity goes
/// to all by the team (NVIDIA, NCCL Documentation, "Creating a communicator"). Throws InputError (missing)
/// without CUDA back end, device or NCCL.
std::unique_ptr<Exchange> gpu_exchange(Team& team, int local_rank);

}  // namespace roofplan::probe
