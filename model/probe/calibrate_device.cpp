#include "model/probe/calibrate_device.hpp"

#include "model/calibration/this_system.hpp"
#include "model/catalog/model_reference.hpp"
#include "model/probe/layer.hpp"
#include "model/probe/verdict.hpp"

#include <algorithm>
#include <iterator>

namespace roofplan::probe {
namespace {

/// Takes the result of a probe out of the others; zero where it is not there.
model::Seconds take_time(const Probe& probe, model::Calibration& calibration) {
  const auto found = std::find_if(calibration.probes.begin(), calibration.probes.end(), [&](const auto& p) {
    return p.name == probe.name && p.params == probe.params;
  });
  if (found == calibration.probes.end()) return {};
  const model::Seconds time = time_of(*found, probe.work);
  calibration.probes.erase(found);
  return time;
}

model::Seconds predicted(const Replay& replay, const model::Catalog& catalog,
                         const model::Calibration& calibration) {
  if (replay.predict) {
    if (const model::Seconds own = replay.predict(calibration); own > model::Seconds{}) return own;
  }
  if (model::this_system_files(calibration).empty()) return {};
  const model::ModelFile model = model::find_model(catalog, replay.what.model);
  return replay.what.layers * total_time(predicted_layer(model.architecture, replay.format, replay.what.batch,
                                                         replay.what.depth, calibration));
}

/// Takes the replays out of the probes and sets them beside what the fit says.
void add_replays(const std::vector<Replay>& replays, const model::Catalog& catalog,
                 model::Calibration& calibration) {
  for (const Replay& replay : replays) {
    model::ReplayResult out = replay.what;
    out.measured_s = take_time(replay.probe, calibration).base();
    for (const Replay::Part& part : replay.parts) {
      const model::Seconds measured = take_time(part.probe, calibration);
      out.parts.push_back({part.op, part.predict(calibration).base(), measured.base()});
    }
    out.predicted_s = predicted(replay, catalog, calibration).base();
    if (out.measured_s > 0 && out.predicted_s > 0) calibration.replay.push_back(std::move(out));
  }
}

}  // namespace

DeviceRun calibrate_device(BackEnd& back_end, const RunOptions& options, const model::Catalog& catalog) {
  const DeviceState before = back_end.device().state();
  std::vector<Probe> probes = back_end.probes();
  const std::vector<Replay> replays = back_end.replays(catalog);
  for (const Replay& replay : replays) {
    probes.push_back(replay.probe);
    for (const Replay::Part& part : replay.parts) probes.push_back(part.probe);
  }
  RunResult run = run_probes(probes, options);
  DeviceRun out;
  out.interrupted = run.interrupted;
  out.calibration.device = calibrated_device(back_end.device().identity());
  out.calibration.sources = {"this-calibration"};
  out.calibration.probes = std::move(run.probes);
  if (!run.interrupted) {
    std::vector<model::ProbeResult> sustained = back_end.sustained(options);
    std::move(sustained.begin(), sustained.end(), std::back_inserter(out.calibration.probes));
  }
  out.calibration.notes = back_end.remarks();
  std::move(run.notes.begin(), run.notes.end(), std::back_inserter(out.calibration.notes));
  const model::Chip* chip = chip_of(back_end.device().identity(), catalog);
  back_end.fit(out.calibration, chip);
  add_replays(replays, catalog, out.calibration);
  out.calibration.verdict = verdict(out.calibration, chip, catalog);
  for (std::string& note : complaints(before, back_end.state_after()))
    out.calibration.notes.push_back(std::move(note));
  return out;
}

}  // namespace roofplan::probe
