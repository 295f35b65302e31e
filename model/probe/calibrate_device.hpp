#pragma once

#include "model/calibration/calibration_file.hpp"
#include "model/catalog/catalog.hpp"
#include "model/probe/back_end.hpp"

namespace roofplan::probe {

struct DeviceRun {
  model::Calibration calibration;
  bool interrupted = false;  ///< the fit rests on the probes that were done
};

/// The whole of `calibrate`: probes and replays in one run, the fit, what it predicts of the replays, the
/// verdict against the datasheet of the catalogue's chip, and what the state of the device before and after
/// says. `options` is the back end's, with the caller's progress and interrupt.
DeviceRun calibrate_device(BackEnd& back_end, const RunOptions& options, const model::Catalog& catalog);

}  // namespace roofplan::probe
