#include "cli/verbs/cost_answer.hpp"

#include "model/report/figures.hpp"
#include "model/sizing/load_power.hpp"
#include "model/sizing/speed_question.hpp"

namespace roofplan::cli {

CostAnswer cost_answer(Session& session, const model::Scenario& scenario) {
  if (scenario.system.ref.empty()) {
    throw model::InputError(model::InputError::Kind::usage, "no system is named",
                            "--system S; roofplan systems lists them");
  }
  const model::System& system = session.catalog().systems().find(scenario.system.ref);
  CostAnswer out;
  model::CostRequest request;
  request.scenario = &scenario;
  request.data = &session.speed_data();
  request.system = &system;
  request.count = scenario.system.gpus ? model::ceil_div(*scenario.system.gpus, system.accelerators)
                                       : scenario.system.count;
  if (scenario.model.ref.empty()) {
    out.why_no_tokens = model::Text("cost.no_model");
  } else {
    const model::ModelFile model =
        model::find_model(session.catalog(), scenario.model.ref, session.arguments().has("assume"));
    const model::SpeedQuestion question(scenario, session.speed_data(), model.architecture, system);
    const model::SpeedAnswer speed = model::speed(question.request());
    const model::LoadPower power =
        model::load_power(question.request(), speed, session.catalog().phase_power());
    if (speed.fits) request.output = speed.output;
    if (!speed.fits) out.why_no_tokens = model::Text("cost.does_not_run");
    if (!power.unknown) request.compute_power = power.mean;
  }
  out.options.push_back(model::owned_cost(request));
  if (auto rented = model::rented_cost(request)) out.options.push_back(std::move(*rented));
  return out;
}

void cite_costs(Session& session, model::report::Document& document, const CostAnswer& answer) {
  const model::Sources& sources = session.catalog().sources();
  for (const model::CostOption& option : answer.options)
    for (const model::CostItem& item : option.items)
      if (sources.contains(item.source)) model::report::cite(document, sources, item.source);
}

}  // namespace roofplan::cli
