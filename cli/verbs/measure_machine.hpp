#pragma once

#include "cli/session.hpp"
#include "model/probe/calibrate_device.hpp"

#include <string>
#include <utility>
#include <vector>

namespace roofplan::cli {

/// Measures this machine as --backend and --quick say, fits, and replays layers. Tells its progress on
/// standard error; an interrupt ends the measuring. Throws InputError (missing) where the back end has no
/// device.
probe::DeviceRun measure_machine(Session& session);

/// Runs each kind of probe once on small sizes: its name, and whether its result was right. Errors as above.
std::vector<std::pair<std::string, bool>> check_machine(Session& session);

}  // namespace roofplan::cli
