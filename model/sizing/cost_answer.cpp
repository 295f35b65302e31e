#include "model/sizing/cost_answer.hpp"

#include "model/memory/fit_texts.hpp"
#include "model/sizing/load_power.hpp"
#include "model/sizing/speed_question.hpp"

namespace roofplan::model {

CostAnswer cost_answer(const Scenario& scenario, const SpeedData& data, const ModelFile* model) {
  if (scenario.system.ref.empty())
    throw InputError(InputError::Kind::usage, "no system is named",
                     "--system S; roofplan systems lists them");
  const System& system = data.catalog().systems().find(scenario.system.ref);
  CostAnswer out;
  CostRequest request{&scenario, &data, &system, scenario.system.count, {}, {}, {}};
  if (scenario.system.gpus) request.count = ceil_div(*scenario.system.gpus, system.accelerators);
  if (model == nullptr) {
    out.why_no_tokens = Text("cost.no_model");
  } else {
    const SpeedQuestion question(scenario, data, model->architecture, system);
    const SpeedAnswer answer = speed(question.request());
    const LoadPower power = load_power(question.request(), answer, data.catalog().phase_power());
    if (answer.fits) {
      request.output = answer.output;
      request.linked = boxes_of_replica(answer.parallel, scenario.disagg.has_value(), request.count, system);
    }
    if (auto beyond = beyond_model(model->architecture, sequence_tokens(scenario.load)))
      out.warnings.push_back(std::move(*beyond));
    if (scenario.load.by_rate())
      out.warnings.push_back(Text("load.rate_not_planned", {{"requests", scenario.load.open_requests()}}));
    if (!answer.fits) out.why_no_tokens = Text("cost.does_not_run");
    if (!power.unknown) request.compute_power = power.mean;
  }
  out.options.push_back(owned_cost(request));
  if (auto rented = rented_cost(request)) out.options.push_back(std::move(*rented));
  return out;
}

}  // namespace roofplan::model
