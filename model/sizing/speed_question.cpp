#include "model/sizing/speed_question.hpp"

#include "model/roofline/routing.hpp"

#include <algorithm>

namespace roofplan::model {

namespace {

ParallelWish wish_of(const ParallelSettings& parallel) {
  return {parallel.tp, parallel.pp, parallel.ep, parallel.dp, parallel.cp, parallel.attention_dp};
}

/// The energy of the machine at hand, "machine/energy" of its calibration.
std::optional<DeviceEnergy> measured_energy(const CalibrationSet& calibrations, const System& system) {
  if (system.id != "this") return std::nullopt;
  const Calibration* calibration = calibrations.find(system.id);
  const CalibratedLaw* law = calibration == nullptr ? nullptr : calibration->find("machine/energy");
  if (law == nullptr) return std::nullopt;
  constexpr double kNano = 1e-9;
  DeviceEnergy out{law->value("idle") * unit::W, kNano * law->value("per_byte") * unit::J / unit::B,
                   kNano * law->value("per_flop") * unit::J / unit::flop, law->residuals.p90_ape};
  for (const CalibratedValue& v : law->values) out.spread = std::max(out.spread, v.relative_std);
  return out;
}

}  // namespace

SpeedQuestion::SpeedQuestion(const Scenario& scenario, const SpeedData& data, const Architecture& model,
                             const System& system)
    : fit_(scenario, data.catalog(), model, system) {
  request_.fit = fit_.request();
  data.supply(request_, fit_.request().engine->id,
              link_state_from(scenario.system.link_state).value_or(LinkState::nominal));
  request_.energy = measured_energy(data.calibrations(), system);
  request_.prompt = scenario.load.prompt_tokens;
  request_.output = scenario.load.output_tokens;
  if (scenario.load.depth_tokens > 0) request_.depth = scenario.load.depth_tokens;
  request_.prefix_hit = scenario.load.prefix_hit;
  request_.routing_exponent = data.routing().of(scenario.load.routing);
  request_.acceptance = scenario.engine.spec_decode.acceptance;
  if (scenario.system.power_cap)
    request_.power_cap = {*scenario.system.power_cap, &data.catalog().phase_power()};
  request_.draft_tokens = scenario.engine.spec_decode.draft_tokens;
  if (scenario.disagg) {
    request_.disaggregation = DisaggregationWish{
        scenario.disagg->prefill.workers, scenario.disagg->decode.workers,
        wish_of(scenario.disagg->prefill.parallel), wish_of(scenario.disagg->decode.parallel)};
  }
}

}  // namespace roofplan::model
