#pragma once

#include "model/catalog/catalog.hpp"
#include "model/probe/device.hpp"
#include "model/probe/probe.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace roofplan::probe {

/// What the laws of a calibration say of a time; zero where they do not determine it.
using Prediction = std::function<model::Seconds(const model::Calibration&)>;

/// A layer of a named model, run whole on the device: what the fit must predict.
struct Replay {
  /// One operator of it, run alone.
  struct Part {
    std::string op;  ///< as the step model calls it
    Probe probe;
    Prediction predict;
  };

  model::ReplayResult what;  ///< model, batch, depth, layers; its times are filled in later
  std::string format;        ///< of weights and cache, id of data/formats.json
  Probe probe;               ///< times `what.layers` layers
  Prediction predict = {};   ///< by the back end's own laws; empty: predicted_layer()
  std::vector<Part> parts = {};
};

/// What one kind of device can measure. CPU and CUDA, and in tests one with known laws.
class BackEnd {
 public:
  virtual ~BackEnd() = default;
  virtual Device& device() = 0;
  /// How its times are taken: rule, rounds and seed.
  virtual RunOptions options() const = 0;
  virtual std::vector<Probe> probes() = 0;
  /// One of each kind on small sizes, to see that results are right: seconds, also under a tool that watches
  /// every access to memory.
  virtual std::vector<Probe> checks() { return probes(); }
  /// Layers of models of the catalogue that fit into its memory.
  virtual std::vector<Replay> replays(const model::Catalog& catalog) = 0;
  /// What takes seconds of steady load, such as power, after the probes.
  virtual std::vector<model::ProbeResult> sustained(const RunOptions&) { return {}; }
  /// The device after the run, without the load that the run itself made.
  virtual DeviceState state_after() { return device().state(); }
  /// Adds the laws that the probes determine; fit_machine() unless it knows better. `chip` is the datasheet
  /// of the device, nullptr where the catalogue has none.
  virtual void fit(model::Calibration& calibration, const model::Chip* chip) const;
  /// What the reader must know of the method and of what was left out, in sentences; asked after the run.
  virtual std::vector<std::string> remarks() { return {}; }
};

struct BackEndWish {
  bool quick = false;
  std::uint64_t seed = 1;
  int threads = 0;  ///< 0: as many as there are cores
};

/// The first device of a kind ("cpu", "cuda") in this machine; nullptr where there is none, or where this
/// program was built without the back end for it.
std::unique_ptr<BackEnd> open_back_end(std::string_view kind, const BackEndWish& wish);

/// The identity of that device alone; nothing where there is none.
std::optional<DeviceIdentity> device_here(std::string_view kind);

}  // namespace roofplan::probe
