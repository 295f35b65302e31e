#include "model/power/phase_power.hpp"

#include <algorithm>

namespace roofplan::model {
namespace {

/// The shares of TDP that one estimate takes from their ranges.
struct Corner {
  double idle, decode, prefill, idle_of_typical;
};

double low_of(const Figure<double>& f) {
  return f.low.value_or(*f);
}
double high_of(const Figure<double>& f) {
  return f.high.value_or(*f);
}

/// Full-load anchor of a system and the share of TDP at which it was taken.
struct Anchor {
  Watts power;
  bool at_decode = false;
};

std::optional<Anchor> anchor_of(const System& system) {
  using Class = System::Class;
  if (system.power_typical.known())
    return Anchor{*system.power_typical, system.system_class == Class::desktop};
  if (system.system_class == Class::card && system.chip.tdp.known()) return Anchor{*system.chip.tdp, false};
  if (system.power_design.known()) return Anchor{*system.power_design, false};
  return std::nullopt;
}

Watts power_at(const System& system, const Anchor& anchor, const PhaseShares& shares, const Corner& corner,
               const Corner& usual) {
  const double idle_share = system.system_class == System::Class::card && !system.power_typical.known()
                                ? usual.idle
                                : corner.idle_of_typical;
  const Watts idle = system.power_idle.known() ? *system.power_idle : anchor.power * idle_share;
  const double full = (anchor.at_decode ? usual.decode : usual.prefill) - usual.idle;
  const double busy =
      shares.decode * (corner.decode - corner.idle) + shares.prefill * (corner.prefill - corner.idle);
  Watts power = idle + (anchor.power - idle) * (busy / full);
  if (system.power_peak.known()) power = std::min(power, *system.power_peak);
  return power;
}

/// What is left of a power when each of the system's boards draws no more than `cap` x TDP: the host's part
/// stays.
Watts limited(const System& system, Watts power, const PhaseShares& shares, const Corner& corner,
              double cap) {
  if (cap >= 1) return power;
  const Watts boards = static_cast<double>(system.accelerators) * *system.chip.tdp;
  const auto drawn = [&](double limit) {
    return boards * ((1 - shares.prefill - shares.decode) * std::min(corner.idle, limit) +
                     shares.prefill * std::min(corner.prefill, limit) +
                     shares.decode * std::min(corner.decode, limit));
  };
  const Watts host = std::max(power - drawn(1), Watts());
  const Watts left = std::min(power, host + drawn(cap));
  // A card that stands for itself has no host beside its limit.
  const bool alone = system.system_class == System::Class::card && !system.power_typical.known();
  return alone ? std::min(left, cap * boards) : left;
}

}  // namespace

SystemPower system_power(const System& system, const PhasePower& p, const PhaseShares& shares, double cap) {
  const std::optional<Anchor> anchor = anchor_of(system);
  SystemPower out;
  if (!anchor || (cap < 1 && !system.chip.tdp.known())) {
    out.unknown = Text("power.unknown", {{"system", system.id}});
    return out;
  }
  const Corner usual{*p.idle, *p.decode, *p.prefill, *p.idle_of_typical};
  const auto at = [&](const Corner& corner) {
    return limited(system, power_at(system, *anchor, shares, corner, usual), shares, corner, cap);
  };
  out.mean = at(usual);
  out.low = at({*p.idle, low_of(p.decode), low_of(p.prefill), low_of(p.idle_of_typical)});
  out.high = at({*p.idle, high_of(p.decode), high_of(p.prefill), high_of(p.idle_of_typical)});
  return out;
}

}  // namespace roofplan::model
