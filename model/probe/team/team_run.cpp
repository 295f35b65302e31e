#include "model/probe/team/team_run.hpp"

#include "model/probe/fit_machine.hpp"

#include <fmt/format.h>

#include <map>
#include <optional>

namespace roofplan::probe {
namespace {

using Kind = CollectiveWork::Kind;
namespace unit = model::unit;

/// Makes a collective ready where it is not, and runs it on all ranks together.
class TeamBench {
 public:
  TeamBench(Team& team, Exchange& exchange) : team_(team), exchange_(exchange) {}

  Seconds run(const CollectiveWork& work) {
    if (!make_ready(work)) return {};
    team_.highest(0);  // all start together
    return team_.highest(exchange_.run().base()) * unit::s;
  }
  bool right(const CollectiveWork& work) { return make_ready(work) && all(exchange_.right()); }

 private:
  bool all(bool own) { return team_.highest(own ? 0 : 1) == 0; }
  bool make_ready(const CollectiveWork& work) {
    if (ready_ == work) return usable_;
    usable_ = all(exchange_.prepare(work));
    ready_ = work;
    return usable_;
  }

  Team& team_;
  Exchange& exchange_;
  std::optional<CollectiveWork> ready_;
  bool usable_ = false;
};

/// Where the ranks run, and which of them differ.
std::vector<std::string> notes_of(Team& team, const TeamMember& own) {
  std::map<std::string, int> hosts;
  std::vector<std::string> notes;
  std::string first_device, first_driver;
  for (int rank = 0; rank < team.size(); ++rank) {
    const std::string host = team.word_of(own.host, rank), device = team.word_of(own.device.name, rank),
                      driver = team.word_of(own.device.driver, rank);
    ++hosts[host];
    if (rank == 0) {
      first_device = device;
      first_driver = driver;
    } else if (device != first_device || driver != first_driver) {
      notes.push_back(fmt::format("rank {} on {} has {} ({}), rank 0 has {} ({})", rank, host, device, driver,
                                  first_device, first_driver));
    }
  }
  std::vector<std::string> shares;
  for (const auto& [host, count] : hosts) shares.push_back(fmt::format("{} on {}", count, host));
  notes.insert(notes.begin(),
               fmt::format("{} processes exchanged: {}", team.size(), fmt::join(shares, ", ")));
  return notes;
}

}  // namespace

RunOptions agreed(Team& team, RunOptions own) {
  own.now = [&team, now = own.now] {
    double seconds = now().base();
    team.broadcast(std::as_writable_bytes(std::span(&seconds, 1)), 0);
    return seconds * unit::s;
  };
  own.interrupted = [&team, here = own.interrupted] { return team.highest(here && here() ? 1 : 0) > 0; };
  if (team.rank() != 0) own.progress = {};
  return own;
}

std::vector<Probe> team_probes(Team& team, Exchange& exchange, bool quick) {
  constexpr std::int64_t kLeast = 8 * 1024;
  const std::int64_t most = std::int64_t{quick ? 64 : 512} << 20;
  const auto bench = std::make_shared<TeamBench>(team, exchange);
  std::vector<Probe> out;
  for (const Kind kind : {Kind::all_reduce, Kind::all_gather}) {
    for (std::int64_t bytes = kLeast; bytes <= most; bytes *= quick ? 8 : 4) {
      const CollectiveWork work{kind, bytes, team.size()};
      out.push_back(
          {.name = fmt::format("collective/{}", to_text(kind)),
           .params = {{"bytes", fmt::format("{}", bytes)}, {"ranks", fmt::format("{}", work.ranks)}},
           .unit = "us",
           .sample = [bench, work] { return bench->run(work); },
           .right = [bench, work] { return bench->right(work); }});
    }
  }
  return out;
}

DeviceRun calibrate_team(Team& team, Exchange& exchange, const TeamMember& own, const RunOptions& options,
                         bool quick) {
  DeviceRun out;
  RunResult run = run_probes(team_probes(team, exchange, quick), agreed(team, options));
  out.interrupted = run.interrupted;
  model::Calibration& c = out.calibration;
  c.device = calibrated_device(own.device);
  c.device.accelerators = team.size();
  c.sources = {"this-calibration"};
  c.probes = std::move(run.probes);
  c.notes = notes_of(team, own);
  c.notes.insert(c.notes.end(), run.notes.begin(), run.notes.end());
  fit_machine(c);
  return out;
}

}  // namespace roofplan::probe
