#include "model/sizing/load_power.hpp"

#include <algorithm>

namespace roofplan::model {

std::int64_t systems_used(const FitRequest& request) {
  if (!request.gpus) return request.count;
  return ceil_div(*request.gpus, request.system->accelerators);
}

namespace {

/// What a phase adds to the idle power of one accelerator while it lasts.
Watts added_by(const SpeedAnswer& answer, Phase phase, const DeviceEnergy& energy) {
  Seconds time;
  Bytes bytes;
  Flop flop;
  for (const OperatorShare& op : answer.breakdown) {
    if (op.phase != phase) continue;
    time += op.time;
    bytes += op.bytes;
    flop += op.flop;
  }
  if (time <= Seconds()) return {};
  return device_power(energy, bytes / time, flop / time) - energy.idle;
}

/// Of one system, `used` of whose accelerators work.
SystemPower measured_power(const System& system, const SpeedAnswer& answer, const DeviceEnergy& energy,
                           double used) {
  const Watts busy = answer.busy.prefill * added_by(answer, Phase::prefill, energy) +
                     answer.busy.decode * added_by(answer, Phase::decode, energy);
  SystemPower out;
  out.mean = static_cast<double>(system.accelerators) * (energy.idle + used * busy);
  out.low = (1 - std::min(energy.spread, 1.0)) * out.mean;
  out.high = (1 + energy.spread) * out.mean;
  return out;
}

}  // namespace

LoadPower load_power(const SpeedRequest& request, const SpeedAnswer& answer, const PhasePower& phases) {
  LoadPower out;
  out.systems = systems_used(request.fit);
  if (!answer.fits) {
    out.unknown = answer.reasons.empty() ? answer.fit.verdict : answer.reasons.front();
    return out;
  }
  const System& system = *request.fit.system;
  const double used =
      static_cast<double>(answer.devices) / static_cast<double>(out.systems * system.accelerators);
  out.measured = request.energy && !request.power_cap;
  const SystemPower one =
      out.measured ? measured_power(system, answer, *request.energy, used)
                   : system_power(system, phases, {answer.busy.prefill * used, answer.busy.decode * used},
                                  request.power_cap ? request.power_cap->share : 1);
  if (one.unknown) {
    out.unknown = one.unknown;
    return out;
  }
  const auto systems = static_cast<double>(out.systems);
  out.mean = one.mean * systems;
  out.low = one.low * systems;
  out.high = one.high * systems;
  const double rate = answer.output / unit::tok_s;
  if (rate <= 0) return out;
  out.joule_per_token = out.mean / unit::W / rate;
  out.joule_low = out.low / unit::W / (rate / answer.ranges.request.low);
  out.joule_high = out.high / unit::W / (rate / answer.ranges.request.high);
  return out;
}

}  // namespace roofplan::model
