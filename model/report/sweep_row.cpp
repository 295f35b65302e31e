#include "model/report/sweep_row.hpp"

#include "model/report/cost_document.hpp"
#include "model/report/fit_document.hpp"
#include "model/report/site_document.hpp"
#include "model/report/size_decision.hpp"
#include "model/report/size_document.hpp"
#include "model/report/speed_document.hpp"
#include "model/sizing/cost_answer.hpp"
#include "model/sizing/load_power.hpp"
#include "model/sizing/site_question.hpp"
#include "model/sizing/speed_question.hpp"

namespace roofplan::model::report {
namespace {

const ModelFile& model_of(const Scenario& scenario, const ModelTable& models) {
  const auto found = models.find(scenario.model.ref);
  if (found != models.end()) return found->second;
  throw InputError(InputError::Kind::usage, "no model is named", "model.ref");
}

/// nullptr where the scenario names no model.
const ModelFile* model_if(const Scenario& scenario, const ModelTable& models) {
  return scenario.model.ref.empty() ? nullptr : &model_of(scenario, models);
}

Value speed_answer(const Scenario& scenario, const SweepParts& parts) {
  const System& system = parts.data.catalog().systems().find(scenario.system.ref);
  SpeedQuestion question(scenario, parts.data, model_of(scenario, parts.models).architecture, system);
  SpeedRequest& request = question.request();
  request.step_models = &parts.step_models;
  request.breakdown = request.fit.suggest = false;
  const SpeedAnswer answer = speed(request);
  return speed_value(request, answer, load_power(request, answer, parts.data.catalog().phase_power()));
}

Value fit_answer(const Scenario& scenario, const SweepParts& parts) {
  const ModelFile& model = model_of(scenario, parts.models);
  const System& system = parts.data.catalog().systems().find(scenario.system.ref);
  const FitQuestion question(scenario, parts.data.catalog(), model.architecture, system);
  Document document;
  describe_fit(document, question.request(), fit(question.request()), model);
  return std::move(document.result);
}

Value site_answer(const Scenario& scenario, const SweepParts& parts) {
  const System& system = parts.data.catalog().systems().find(scenario.system.ref);
  const SiteRequest request = site_request(scenario, system, parts.data.catalog());
  return site_value(plan_site(system, request));
}

/// The first owned and the first rented option, each under its kind.
Value cost_scalars(const Scenario& scenario, const SweepParts& parts) {
  const CostAnswer answer = cost_answer(scenario, parts.data, model_if(scenario, parts.models));
  Value out = cost_value(answer.options, scenario.money, answer.why_no_tokens);
  Value rented = Value::unknown(Text("cost.no_rent"));
  for (const Value& option : out.find("options")->elements()) {
    if (std::get<std::string>(option.find("kind")->content()) == "owned") {
      if (out.find("owned") == nullptr) out.add("owned", option);
    } else if (rented.is_unknown()) {
      rented = option;
    }
  }
  out.add("rented", std::move(rented));
  return out;
}

/// The best plan and the cheapest rent; nothing but a reason where no system could serve the load at all.
Value size_scalars(const Scenario& scenario, const SweepParts& parts) {
  SizeRequest request{scenario, {}};
  request.sensitivity = false;
  const SizeAnswer answer = size_plans(request, parts.data, model_of(scenario, parts.models));
  if (answer.plans.empty()) return Value::object().add("system", Value::unknown(Text("size.none_meets")));
  return size_plan_value(answer.plans.front(), scenario)
      .add("decision", decision_word(answer))
      .add("rented", rented_value(answer, scenario));
}

const std::vector<SweepVerb>& verbs() {
  static const std::vector<SweepVerb> kVerbs{
      {"speed",
       {"fits",
        "parallel.tp",
        "parallel.pp",
        "parallel.ep",
        "parallel.dp",
        "decode.step_s",
        "decode.tok_s_per_user",
        "decode.tok_s_total",
        "decode.ceiling_tok_s",
        "decode.bound",
        "prefill.tok_s",
        "prefill.time_s",
        "prefill.bound",
        "ttft_s",
        "tpot_s",
        "e2e_s",
        "request_s",
        "tok_s_per_gpu",
        "comm_s",
        "power_w",
        "joule_per_token"},
       speed_answer},
      {"fit",
       {"fits",
        "deficit_bytes",
        "devices",
        "parallel.tp",
        "parallel.pp",
        "parallel.ep",
        "parallel.dp",
        "per_device.visible_bytes",
        "per_device.reserved_bytes",
        "per_device.weights_bytes",
        "per_device.kv_bytes",
        "per_device.state_bytes",
        "per_device.activation_bytes",
        "per_device.workspace_bytes",
        "per_device.free_bytes",
        "weights_bytes",
        "kv_bytes",
        "kv_need_bytes",
        "kv_engine_bytes",
        "max_context",
        "max_concurrency"},
       fit_answer},
      {"site",
       {"count",           "gpus",           "gpus_over",   "it_w.compute", "it_w.network",  "it_w.storage",
        "it_w.management", "it_total_w",     "it_design_w", "it_peak_w",    "pue",           "facility_w",
        "heat_w",          "heat_btu_h",     "liquid_w",    "air_w",        "coolant_l_min", "airflow_cfm",
        "racks",           "energy_kwh_year"},
       site_answer},
      {"cost",
       {"currency", "years", "owned.capital", "owned.year.energy", "owned.year.support", "owned.total",
        "owned.present_value", "owned.cost_per_mtok", "owned.lower_bound", "rented.name", "rented.year.rent",
        "rented.total", "rented.present_value", "rented.cost_per_mtok", "break_even_months"},
       cost_scalars},
      {"size",
       {"feasible", "system",         "count",         "gpus",        "linked",           "groups",
        "spares",   "parallel.tp",    "parallel.pp",   "parallel.ep", "parallel.dp",      "engine",
        "weights",  "tok_s_per_user", "ttft_s",        "tok_s_total", "power_typical_w",  "power_design_w",
        "power_w",  "racks",          "cost_capital",  "cost_total",  "cost_per_mtok",    "joule_per_token",
        "margin",   "decision",       "rented.system", "rented.gpus", "rented.cost_total"},
       size_scalars,
       true},
  };
  return kVerbs;
}

/// The value at a path, or nothing with the reason that the result gives.
Value scalar_at(const Value& result, const std::string& path, Text& reason) {
  const Value* found = result.find(path);
  if (found == nullptr) return {};
  if (const auto* unknown = std::get_if<Value::Unknown>(&found->content())) {
    if (reason.empty()) reason = unknown->reason;
    return {};
  }
  return *found;
}

}  // namespace

const SweepVerb& sweep_verb(std::string_view name) {
  for (const SweepVerb& verb : verbs()) {
    if (verb.name == name) return verb;
  }
  throw InputError(InputError::Kind::usage, "no sweep answers \"" + std::string(name) + "\"",
                   "one of those that answer in scalars", {}, nearest_names(name, sweep_verb_names()));
}

std::vector<std::string> sweep_verb_names() {
  std::vector<std::string> out;
  for (const SweepVerb& verb : verbs()) out.push_back(verb.name);
  return out;
}

Value sweep_row(const SweepVerb& verb, const Scenario& scenario, const SweepParts& parts) {
  Value result = Value::object();
  Text reason;
  try {
    result = verb.answer(scenario, parts);
  } catch (const InputError& e) {
    reason = as_is(e.message());
  }
  Value row = Value::object();
  for (const std::string& key : verb.keys) row.add(key, scalar_at(result, key, reason));
  row.add("reason", reason.empty() ? Value() : Value(reason));
  return row;
}

}  // namespace roofplan::model::report
