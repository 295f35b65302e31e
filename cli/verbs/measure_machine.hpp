#pragma once

#include "cli/session.hpp"
#include "model/probe/calibrate_device.hpp"
#include "model/probe/team/team.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace roofplan::cli {

/// Measures this machine as --backend and --quick say, fits, and replays layers. Tells its progress on
/// standard error; an interrupt ends the measuring. Throws InputError (missing) where the back end has no
/// device.
probe::DeviceRun measure_machine(Session& session);

/// Whether a launcher started this process with others, and which it is.
std::optional<probe::Launch> launch_here();
/// Measures with all processes of the launch what they exchange. Throws InputError (missing) without MPI, and
/// as measure_machine().
probe::DeviceRun measure_together(Session& session, const probe::Launch& launch);

/// Runs each kind of probe once on small sizes: its name, and whether its result was right. Errors as above.
std::vector<std::pair<std::string, bool>> check_machine(Session& session);

}  // namespace roofplan::cli
