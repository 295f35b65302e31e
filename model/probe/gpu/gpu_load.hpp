#pragma once

#include "model/calibration/calibration_file.hpp"
#include "model/probe/gpu/gpu.hpp"
#include "model/probe/measure.hpp"

#include <functional>
#include <vector>

namespace roofplan::probe {

/// How long a GPU is held under each load, and by which clock. The first third of a load does not count: the
/// driver reports power as a mean over up to a second.
struct LoadTimes {
  Seconds each = 3.0 * model::unit::s;
  std::function<void(Seconds)> pause;  ///< while the GPU is idle
  ElapsedClock now = steady_now;
  Interrupted interrupted = {};
};

/// Power and clock of a GPU that is idle, that streams memory, that multiplies matrices, and that does both
/// in turn: "power/idle", "power/stream", "power/product", "power/mixed" in W, each with the bytes and FLOP a
/// second that it did, and "clock/..." of the loads in MHz. What the driver does not tell is left out.
std::vector<model::ProbeResult> sustained_loads(Gpu& gpu, Workbench& bench, const LoadTimes& times);

/// Sets "machine/energy" from those: idle power, and the energy of a byte from memory (stream less idle) and
/// of a FLOP (product less idle and less its bytes). Its residual is that of the mixed load, which is not
/// fitted. Nothing where a load is missing.
void fit_energy(model::Calibration& calibration);

}  // namespace roofplan::probe
