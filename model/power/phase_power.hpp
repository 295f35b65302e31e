#pragma once

#include "model/hardware/figure.hpp"
#include "model/hardware/system.hpp"
#include "model/units/text.hpp"

#include <optional>

namespace roofplan::model {

/// How an accelerator answers a limit on its board power, see clocks_under_cap().
struct PowerCapLaw {
  Figure<double> fixed;        ///< share of TDP that a busy accelerator draws whatever its clock
  Figure<double> memory_knee;  ///< share of the clock below which the memory bandwidth falls too
  Figure<double> spread;       ///< speeds under a cap lie within x / (1 + spread) and x (1 + spread)
};

/// What an accelerator draws in a phase as a share of its TDP, and a whole idle system as a share of its
/// typical power where its vendor states no idle power. data/power.json.
struct PhasePower {
  Figure<double> idle, decode, prefill;
  Figure<double> idle_of_typical;
  PowerCapLaw cap;
};

/// How a system's accelerators spend their time, each 0..1 and together at most 1; the rest is idle.
struct PhaseShares {
  double prefill = 0, decode = 0;
};

/// Power of one system at the wall, before PUE, with the range that the shares of TDP have.
struct SystemPower {
  Watts mean, low, high;
  std::optional<Text> unknown;  ///< why there is no number
};

/// Idle power and two linear steps above it, in the proportion in which the accelerators' shares of TDP rise
/// from idle to decode and to prefill. What a vendor or tester states as typical power is that of prefill
/// (all accelerators busy) for nodes and racks, and that of decode for desktops, whose figure was measured
/// while one stream was served; for cards without their host the TDP takes its place. Never above the stated
/// peak. Derived: no published law; the shares are of H100. `cap`: a limit on each accelerator as a share of
/// its TDP. It takes from each phase what the boards draw above it; what the host draws beside them stays.
/// Unknown under a cap where the TDP is.
SystemPower system_power(const System& system, const PhasePower& phases, const PhaseShares& shares,
                         double cap = 1);

}  // namespace roofplan::model
