#pragma once

#include "model/calibration/calibration_file.hpp"
#include "model/probe/measure.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace roofplan::probe {

using Params = std::vector<std::pair<std::string, std::string>>;

/// A named measurement. `sample` runs it once and times itself; setting up and tearing down happen outside
/// the time.
struct Probe {
  std::string name;  ///< "memory/read", "product/fp32"
  Params params;     ///< numbers in base units: bytes, counts
  std::string unit;  ///< of the value: a time ("us"), a rate ("GB/s", "TFLOP/s"), or "W", "MHz"
  double work = 0;   ///< bytes or FLOP of one execution; 0: the value is the time itself
  Sampler sample;
  /// Whether the last execution computed what it should; empty: nothing to check.
  std::function<bool()> right = {};
};

/// A number of a result's parameters; throws InputError (content) when it has none of that name.
double parameter(const model::ProbeResult& result, std::string_view name);
/// Time of one execution that a result of `work` stands for.
Seconds time_of(const model::ProbeResult& result, double work);

/// What a run reports on the way, for a line on standard error.
struct Progress {
  std::size_t done = 0, total = 0;
  std::string name;
};

struct RunOptions {
  StoppingRule rule;
  /// Every probe is measured so many times, its time limit divided among them, all others between.
  int rounds = 1;
  std::uint64_t seed = 1;  ///< of the order within a round: a disturbance shall not hit one kind alone
  Interrupted interrupted = {};
  std::function<void(const Progress&)> progress = {};
  ElapsedClock now = steady_now;
};

struct RunResult {
  std::vector<model::ProbeResult> probes;  ///< in the order asked
  std::vector<std::string> notes;          ///< wrong results, values that stayed uncertain, in sentences
  bool interrupted = false;
};

/// Runs the probes. One whose check fails is left out and named in `notes`: its number would time something
/// else. After an interrupt those count that have the least number of samples.
RunResult run_probes(const std::vector<Probe>& probes, const RunOptions& options);

/// What a probe is called in lines for people: its name and parameters.
std::string shown(const Probe& probe);

/// Whether a probe, run once, gives a time and the right result.
bool runs_right(const Probe& probe);

}  // namespace roofplan::probe
