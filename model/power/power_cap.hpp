#pragma once

#include "model/hardware/system.hpp"
#include "model/power/phase_power.hpp"

namespace roofplan::model {

/// What is left of an accelerator's datasheet rates in one phase, each in (0, 1].
struct ClockShares {
  double compute = 1;  ///< of the FLOP rate, which follows the clock
  double memory = 1;   ///< of the memory bandwidth
};
struct PhaseClocks {
  ClockShares prefill, decode;
};

/// A limit on the power of every accelerator, and what it costs and saves by phase.
struct PowerCap {
  double share = 1;                    ///< of the TDP
  const PhasePower* phases = nullptr;  ///< never null where there is a cap
};

/// The clocks that a board power limit of `cap` x TDP leaves. A phase that draws no more than the cap runs at
/// its full clock. Above it, the part of power that follows the clock falls with its third power (dynamic
/// CMOS power C f V^2 with V in proportion to f; Weste, Harris, CMOS VLSI Design, section 5.2), so the clock
/// is cbrt((cap - static) / (demand - static)), all as shares of TDP. Bandwidth holds until the clock falls
/// below a knee, then falls in proportion. Static share and knee are fitted (data/power.json). Throws
/// InputError (usage) for caps outside [kLeastPowerCap, 1].
PhaseClocks clocks_under_cap(const PhasePower& phases, double cap);

/// The system with the powers that it has when every accelerator is limited to `cap` x TDP: typical power
/// less what its boards draw above the limit (system_power()), within design power; design and peak power
/// less what the limit takes from each accelerator's TDP, so that what fans and supplies save beside is left
/// as reserve. Throws InputError (usage) as clocks_under_cap(), and where the TDP is unknown.
System with_power_cap(const System& system, const PhasePower& phases, double cap);

/// The lowest limit that the law was measured at, as a share of TDP.
inline constexpr double kLeastPowerCap = 0.33;

}  // namespace roofplan::model
