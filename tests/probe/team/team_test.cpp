#include "model/probe/team/team_run.hpp"
#include "tests/probe/team/thread_team.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <map>

using namespace roofplan;
namespace unit = roofplan::model::unit;
using roofplan::test::ThreadTeam;
using roofplan::test::together;

namespace {

/// Takes 10 us and a time for each byte, 20 % more on the last rank; its clock runs as its times say.
class FakeExchange final : public probe::Exchange {
 public:
  explicit FakeExchange(const probe::Team& team, bool broken = false) : team_(team), broken_(broken) {}
  bool prepare(const probe::CollectiveWork& work) override {
    bytes_ = static_cast<double>(work.bytes);
    return true;
  }
  probe::Seconds run() override {
    const double late = team_.rank() + 1 == team_.size() ? 1.2 : 1.0;
    return late * (10 * unit::us + bytes_ * unit::B / (20 * unit::GB_s));
  }
  bool right() override { return !(broken_ && team_.rank() == 1 && bytes_ > 1e6); }

 private:
  const probe::Team& team_;
  bool broken_;
  double bytes_ = 0;
};

probe::TeamMember member(int rank) {
  probe::TeamMember out{rank < 2 ? "node-a" : "node-b", {}};
  out.device.kind = "cuda";
  out.device.name = rank == 3 ? "Other" : "Fake 9000";
  return out;
}

probe::RunOptions steps() {
  probe::RunOptions out;
  out.rule.least = 3;
  out.rule.most = 8;
  return out;
}

probe::Environment environment(const std::map<std::string, std::string>& values) {
  return [values](const char* name) -> const char* {
    const auto found = values.find(name);
    return found == values.end() ? nullptr : found->second.c_str();
  };
}

}  // namespace

TEST_CASE("launchers are known by what they say in the environment", "[probe][team]") {
  const auto mpirun = probe::launched(environment(
      {{"OMPI_COMM_WORLD_RANK", "5"}, {"OMPI_COMM_WORLD_SIZE", "16"}, {"OMPI_COMM_WORLD_LOCAL_RANK", "1"}}));
  REQUIRE(mpirun);
  CHECK(mpirun->rank == 5);
  CHECK(mpirun->size == 16);
  CHECK(mpirun->local_rank == 1);
  const auto srun = probe::launched(
      environment({{"SLURM_PROCID", "3"}, {"SLURM_STEP_NUM_TASKS", "8"}, {"SLURM_LOCALID", "3"}}));
  REQUIRE(srun);
  CHECK(srun->local_rank == 3);
  CHECK(probe::launched(environment({{"PMI_RANK", "0"}, {"PMI_SIZE", "2"}})));
  CHECK_FALSE(probe::launched(environment({})));
  // A batch script of a job with eight tasks runs once; so does a launch of one process.
  CHECK_FALSE(probe::launched(environment({{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "8"}})));
  CHECK_FALSE(probe::launched(environment({{"PMI_RANK", "0"}, {"PMI_SIZE", "1"}})));
  CHECK_FALSE(probe::launched(environment({{"PMI_RANK", "x"}, {"PMI_SIZE", "2"}})));
}

TEST_CASE("a team of four measures the slowest rank, and all of it takes the same decisions",
          "[probe][team]") {
  std::vector<model::Calibration> found(4);
  together(4, [&](ThreadTeam& team) {
    FakeExchange exchange(team);
    found[static_cast<std::size_t>(team.rank())] =
        calibrate_team(team, exchange, member(team.rank()), steps(), true).calibration;
  });
  const model::Calibration& first = found.front();
  REQUIRE_FALSE(first.probes.empty());
  for (const model::Calibration& other : found) {
    REQUIRE(other.probes.size() == first.probes.size());
    for (std::size_t i = 0; i < first.probes.size(); ++i) {
      CHECK(other.probes[i].value == first.probes[i].value);
      CHECK(other.probes[i].n == first.probes[i].n);
    }
  }
  const auto& law = first.at("machine/collective/all_reduce/4");
  CHECK(law.value("latency") == Approx(12).epsilon(0.01));     // 1.2 times 10 us
  CHECK(law.value("rate") == Approx(20 / 1.2).epsilon(0.01));  // GB/s of the slowest
  CHECK(first.device.accelerators == 4);
  CHECK(first.notes.at(0) == "4 processes exchanged: 2 on node-a, 2 on node-b");
  REQUIRE(first.notes.size() == 2);
  CHECK(first.notes[1].find("rank 3 on node-b has Other") != std::string::npos);
}

TEST_CASE("what is wrong on one rank is left out on all", "[probe][team]") {
  std::vector<probe::DeviceRun> found(3);
  together(3, [&](ThreadTeam& team) {
    FakeExchange exchange(team, true);
    found[static_cast<std::size_t>(team.rank())] = calibrate_team(team, exchange, member(0), steps(), true);
  });
  for (const probe::DeviceRun& run : found) {
    CHECK(std::none_of(run.calibration.probes.begin(), run.calibration.probes.end(),
                       [](const auto& p) { return probe::parameter(p, "bytes") > 1e6; }));
    CHECK(std::any_of(run.calibration.notes.begin(), run.calibration.notes.end(),
                      [](const auto& n) { return n.find("wrong result") != std::string::npos; }));
  }
}

TEST_CASE("an interrupt of one rank ends the run of all", "[probe][team]") {
  std::vector<int> interrupted(2, 0);
  together(2, [&](ThreadTeam& team) {
    FakeExchange exchange(team);
    probe::RunOptions options = steps();
    int asked = 0;
    options.interrupted = [&] { return team.rank() == 1 && ++asked > 10; };
    interrupted[static_cast<std::size_t>(team.rank())] =
        calibrate_team(team, exchange, member(0), options, true).interrupted ? 1 : 0;
  });
  CHECK(interrupted == std::vector<int>{1, 1});
}

TEST_CASE("host memories exchange by the team and check their results", "[probe][team]") {
  std::vector<int> right(3, 0);
  together(3, [&](ThreadTeam& team) {
    const auto exchange = probe::host_exchange(team);
    int good = 0;
    for (const auto kind :
         {probe::CollectiveWork::Kind::all_reduce, probe::CollectiveWork::Kind::all_gather}) {
      if (exchange->prepare({kind, 12'000, 3}) && exchange->run() > probe::Seconds{} && exchange->right())
        ++good;
    }
    right[static_cast<std::size_t>(team.rank())] = good;
  });
  CHECK(right == std::vector<int>{2, 2, 2});
}
