#pragma once

#include "cli/session.hpp"
#include "model/probe/calibrate_device.hpp"

namespace roofplan::cli {

/// Measures this machine as --backend and --quick say, fits, and replays layers. Tells its progress on
/// standard error; an interrupt ends the measuring. Throws InputError (missing) where the back end has no
/// device.
probe::DeviceRun measure_machine(Session& session);

}  // namespace roofplan::cli
