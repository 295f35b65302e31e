#include "model/probe/calibrate_device.hpp"

#include "model/calibration/this_system.hpp"
#include "model/catalog/model_reference.hpp"
#include "model/probe/layer.hpp"
#include "model/probe/verdict.hpp"

#include <algorithm>
#include <iterator>

namespace roofplan::probe {
namespace {

bool same_probe(const model::ProbeResult& result, const Probe& probe) {
  return result.name == probe.name && result.params == probe.params;
}

/// Takes the replays out of the probes and sets them beside what the fit says.
void add_replays(std::vector<Replay> replays, const model::Catalog& catalog,
                 model::Calibration& calibration) {
  const bool predictable = !model::this_system_files(calibration).empty();
  for (Replay& replay : replays) {
    const auto found = std::find_if(calibration.probes.begin(), calibration.probes.end(),
                                    [&](const auto& p) { return same_probe(p, replay.probe); });
    if (found == calibration.probes.end()) continue;
    replay.what.measured_s = time_of(*found, replay.probe.work).base();
    calibration.probes.erase(found);
    if (!(replay.predicted > model::Seconds{}) && !predictable) continue;
    if (!(replay.predicted > model::Seconds{})) {
      const model::ModelFile model = model::find_model(catalog, replay.what.model);
      replay.predicted =
          replay.what.layers * total_time(predicted_layer(model.architecture, replay.format,
                                                          replay.what.batch, replay.what.depth, calibration));
    }
    replay.what.predicted_s = replay.predicted.base();
    calibration.replay.push_back(replay.what);
  }
}

}  // namespace

DeviceRun calibrate_device(BackEnd& back_end, const RunOptions& options, const model::Catalog& catalog) {
  const DeviceState before = back_end.device().state();
  std::vector<Probe> probes = back_end.probes();
  std::vector<Replay> replays = back_end.replays(catalog);
  for (const Replay& replay : replays) probes.push_back(replay.probe);
  RunResult run = run_probes(probes, options);
  DeviceRun out;
  out.interrupted = run.interrupted;
  out.calibration.device = calibrated_device(back_end.device().identity());
  out.calibration.sources = {"this-calibration"};
  out.calibration.probes = std::move(run.probes);
  out.calibration.notes = back_end.remarks();
  std::move(run.notes.begin(), run.notes.end(), std::back_inserter(out.calibration.notes));
  back_end.fit(out.calibration);
  add_replays(std::move(replays), catalog, out.calibration);
  out.calibration.verdict = verdict(out.calibration, chip_of(back_end.device().identity(), catalog), catalog);
  for (std::string& note : complaints(before, back_end.device().state()))
    out.calibration.notes.push_back(std::move(note));
  return out;
}

}  // namespace roofplan::probe
