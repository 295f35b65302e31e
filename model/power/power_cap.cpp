#include "model/power/power_cap.hpp"

#include "model/units/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace roofplan::model {
namespace {

void check(double cap) {
  if (!(cap >= kLeastPowerCap && cap <= 1))
    throw InputError(
        InputError::Kind::usage, fmt::format("a power cap of {:g} is out of range", cap),
        fmt::format("{:g} to 1 of the board power; below, nothing was measured", kLeastPowerCap));
}

ClockShares clocks_of(const PowerCapLaw& law, double demand, double cap) {
  if (cap >= demand) return {};
  const double clock = std::cbrt((cap - *law.fixed) / (demand - *law.fixed));
  return {clock, std::min(1.0, clock / *law.memory_knee)};
}

void lower(Figure<Watts>& figure, Watts saved, const std::string& note) {
  if (!figure.known()) return;
  figure.value = *figure - saved;
  figure.low.reset();
  figure.high.reset();
  figure.provenance.kind = Provenance::Kind::derived;
  figure.provenance.note = note;
}

}  // namespace

PhaseClocks clocks_under_cap(const PhasePower& phases, double cap) {
  check(cap);
  return {clocks_of(phases.cap, *phases.prefill, cap), clocks_of(phases.cap, *phases.decode, cap)};
}

System with_power_cap(const System& system, const PhasePower& phases, double cap) {
  check(cap);
  if (!system.chip.tdp.known())
    throw InputError(InputError::Kind::usage,
                     "the board power of " + system.chip.name + " is unknown, so a cap has no effect to tell",
                     "a system whose accelerators' TDP is known, or no cap");
  System out = system;
  const Watts saved = (1 - cap) * static_cast<double>(system.accelerators) * *system.chip.tdp;
  const std::string note = fmt::format("accelerators limited to {:g} of their board power", cap);
  if (system.power_typical.known()) {
    const bool desktop = system.system_class == System::Class::desktop;
    const PhaseShares busy{desktop ? 0.0 : 1.0, desktop ? 1.0 : 0.0};
    const Watts full = system_power(system, phases, busy).mean;
    const Watts capped = system_power(system, phases, busy, cap).mean;
    Watts less = full - capped;
    // The boards may draw more of their TDP than the shares say: typical power stays within design power.
    if (system.power_design.known())
      less = std::max(less, std::min(saved, full - (*system.power_design - saved)));
    lower(out.power_typical, less, note);
  }
  lower(out.power_design, saved, note);
  lower(out.power_peak, saved, note);
  return out;
}

}  // namespace roofplan::model
