#include "model/probe/team/team.hpp"

#include <mpi.h>

namespace roofplan::probe {
namespace {

/// All processes of the launch. Errors that one rank alone meets are agreed upon before they are thrown, so
/// that all leave together.
class MpiTeam final : public Team {
 public:
  MpiTeam() {
    MPI_Init(nullptr, nullptr);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
  }
  ~MpiTeam() override { MPI_Finalize(); }
  MpiTeam(const MpiTeam&) = delete;
  MpiTeam& operator=(const MpiTeam&) = delete;

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  void broadcast(std::span<std::byte> bytes, int root) override {
    MPI_Bcast(bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, root, MPI_COMM_WORLD);
  }
  double highest(double own) override {
    double out = own;
    MPI_Allreduce(&own, &out, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return out;
  }
  void sum(std::span<const float> from, std::span<float> to) override {
    MPI_Allreduce(from.data(), to.data(), static_cast<int>(from.size()), MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
  }
  void gather(std::span<const float> from, std::span<float> to) override {
    const int count = static_cast<int>(from.size());
    MPI_Allgather(from.data(), count, MPI_FLOAT, to.data(), count, MPI_FLOAT, MPI_COMM_WORLD);
  }

 private:
  int rank_ = 0, size_ = 1;
};

}  // namespace
}  // namespace roofplan::probe

/// What open_team() looks for in the module.
extern "C" roofplan::probe::Team* roofplan_open_team() {
  return new roofplan::probe::MpiTeam;
}
