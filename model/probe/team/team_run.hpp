#pragma once

#include "model/probe/calibrate_device.hpp"
#include "model/probe/probe.hpp"
#include "model/probe/team/exchange.hpp"

#include <memory>
#include <string>
#include <vector>

namespace roofplan::probe {

/// Options under which all ranks of a team take the same decisions: its first rank's clock, and an interrupt
/// of any of them. Progress is told by the first.
RunOptions agreed(Team& team, RunOptions own);

/// Collectives over the whole team from 8 KiB to 64 MiB (`quick`) or 512 MiB, named "collective/KIND". A
/// sample is the time of the slowest rank, all of which start together.
std::vector<Probe> team_probes(Team& team, Exchange& exchange, bool quick);

/// What every rank tells of itself.
struct TeamMember {
  std::string host;
  DeviceIdentity device;
};

/// Measures the collectives and fits "machine/collective/KIND/RANKS" as fit_machine(). The same on every
/// rank; the device is the first rank's, and hosts and whatever device differs from it stand in the notes.
DeviceRun calibrate_team(Team& team, Exchange& exchange, const TeamMember& own, const RunOptions& options,
                         bool quick);

}  // namespace roofplan::probe
