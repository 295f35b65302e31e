#pragma once

#include "model/catalog/catalog.hpp"
#include "model/probe/device.hpp"
#include "model/probe/probe.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace roofplan::probe {

/// A layer of a named model, run whole on the device: what the fit must predict.
struct Replay {
  model::ReplayResult what;  ///< model, batch, depth, layers; its times are filled in later
  std::string format;        ///< of weights and cache, id of data/formats.json
  Probe probe;               ///< times `what.layers` layers
  model::Seconds predicted;  ///< by the back end's own laws; zero: by predicted_layer()
};

/// What one kind of device can measure. CPU and CUDA, and in tests one with known laws.
class BackEnd {
 public:
  virtual ~BackEnd() = default;
  virtual Device& device() = 0;
  /// How its times are taken: rule, rounds and seed.
  virtual RunOptions options() const = 0;
  virtual std::vector<Probe> probes() = 0;
  /// Layers of models of the catalogue that fit into its memory.
  virtual std::vector<Replay> replays(const model::Catalog& catalog) = 0;
  /// Adds the laws that the probes determine; fit_machine() unless it knows better.
  virtual void fit(model::Calibration& calibration) const;
  /// What the reader must know of the method, in sentences.
  virtual std::vector<std::string> remarks() const { return {}; }
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
