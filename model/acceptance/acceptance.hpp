#pragma once

#include "model/acceptance/evidence.hpp"
#include "model/acceptance/limits.hpp"
#include "model/calibration/calibration_set.hpp"
#include "model/catalog/model_catalog.hpp"
#include "model/fabric/scale_out_law.hpp"
#include "model/hardware/system.hpp"
#include "model/power/phase_power.hpp"
#include "model/roofline/error_ranges.hpp"
#include "model/units/text.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace roofplan::model {

/// What was promised: so many systems of a kind, their links as healthy installations measure them.
/// Pointers are never null and outlive the call.
struct Promise {
  const System* system = nullptr;
  std::optional<std::int64_t> count;  ///< systems bought, where said
  FabricPath path;
  const AcceptanceLimits* limits = nullptr;
  const PhasePower* phases = nullptr;
  const ModelCatalog* models = nullptr;
  const CalibrationSet* calibrations = nullptr;
  const ErrorRanges* ranges = nullptr;  ///< of the model's rates; nullptr: nothing is known of its errors

  /// Accelerators of one operating system: a node's, or a tray's of a rack.
  std::int64_t gpus_of_host() const;
};

/// One figure of the delivery held against the promise.
struct Check {
  using Reading = std::variant<std::monostate, double, std::string>;  ///< nothing, a number, words

  std::string name;    ///< what is checked, "all_reduce.busbw"
  std::string detail;  ///< at what, "8.0 GiB, 16 GPUs"
  std::string node;    ///< empty where it concerns all
  std::string part;    ///< of the node, "GPU 3"
  Reading measured, expected;
  std::string unit;          ///< of a number, "GB/s"
  double tolerance = 0;      ///< share by which a number may miss what is expected
  std::optional<bool> pass;  ///< nothing: not judged, `reason` says why
  Text reason;               ///< why it failed or was not judged, with advice where a cause is known
  /// Not judged since the log is of a part of what was promised or of something else, so that the verdict
  /// cannot be "pass".
  bool leaves_open = false;

  /// Not judged for that reason.
  void leave_open(Text why);
};

/// Something that stands out from its like.
struct Outlier {
  std::string kind;  ///< "node", "pair", "group", "gpu", "link", "port", "driver", "library", "rank", "model"
  std::string name;  ///< of the quantity
  std::string node, part;
  Check::Reading measured, usual;  ///< the median or the majority
  std::string unit;
  Text reason;
};

/// A measurement on so many nodes laid beside the expected one.
struct ScalingVerdict {
  enum class State { ok, slow_node, slow_fabric };

  std::string quantity, unit;
  std::int64_t nodes = 1;
  double measured = 0, expected = 0;
  bool level_known = true;  ///< false: `expected` is a multiple of the first measurement
  double share = 1;         ///< measured / expected
  double tolerance = 0;
  State state = State::ok;
};

/// "ok", "slow-node", "slow-fabric".
std::string_view to_text(ScalingVerdict::State state);

/// What a set of logs says about a delivery.
struct Acceptance {
  enum class Verdict {
    pass,
    fail,
    incomplete,  ///< nothing failed, but a known log was cut, contradicts itself or leaves open, or is
                 ///< missing
  };

  std::vector<Check> checks;
  std::vector<Outlier> outliers;
  std::vector<ScalingVerdict> scaling;
  std::vector<Text> remarks;
  std::int64_t missing = 0;  ///< nodes, or single cards, that were promised and no log is of

  std::size_t failed_checks() const;
  std::size_t failed() const;  ///< checks, and points of scaling that fall short
  std::size_t judged() const;  ///< checks with a verdict, and points of scaling
};

/// "pass", "fail", "incomplete".
std::string_view to_text(Acceptance::Verdict verdict);

/// Holds the evidence against the promise.
Acceptance judge(const Evidence& evidence, const Promise& promise);
/// The verdict over checks, outliers and the state of the logs.
Acceptance::Verdict verdict_of(const Acceptance& acceptance, const Evidence& evidence);

}  // namespace roofplan::model
