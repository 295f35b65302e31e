#include "model/sizing/load_power.hpp"

namespace roofplan::model {

std::int64_t systems_used(const FitRequest& request) {
  if (!request.gpus) return request.count;
  return ceil_div(*request.gpus, request.system->accelerators);
}

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
  const SystemPower one =
      system_power(system, phases, {answer.busy.prefill * used, answer.busy.decode * used},
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
