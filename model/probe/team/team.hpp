#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace roofplan::probe {

/// Processes that measure together, one an accelerator, on one node or several. Every function is called by
/// all of them in the same order and returns when all have come.
class Team {
 public:
  virtual ~Team() = default;
  virtual int rank() const = 0;
  virtual int size() const = 0;

  /// The bytes that `root` has, to all.
  virtual void broadcast(std::span<std::byte> bytes, int root) = 0;
  /// The largest of what each gives.
  virtual double highest(double own) = 0;
  /// Sums over all, element by element.
  virtual void sum(std::span<const float> from, std::span<float> to) = 0;
  /// What all give, one behind the other by rank; `to` is as often as long as there are ranks.
  virtual void gather(std::span<const float> from, std::span<float> to) = 0;

  /// A word of one rank, at most 255 bytes of it, to all.
  std::string word_of(const std::string& own, int root);
};

/// How a launcher started this process.
struct Launch {
  int rank = 0, size = 1;
  int local_rank = 0;  ///< among those on the same node
};

using Environment = std::function<const char*(const char*)>;

/// What the launcher says in the environment: OpenMPI's mpirun (OMPI_COMM_WORLD_RANK, ...), launchers that
/// speak PMI (PMI_RANK, ...), Slurm's srun (SLURM_PROCID of a step). Nothing for a process started alone, the
/// batch script of a job among them.
std::optional<Launch> launched(const Environment& environment);

/// The team of all processes of this launch, by MPI, from the module that a build with MPI puts beside the
/// program. Throws InputError (missing) where there is none.
std::unique_ptr<Team> open_team(const Launch& launch);

}  // namespace roofplan::probe
