#include "model/report/plan_document.hpp"

#include "model/report/cost_document.hpp"
#include "model/report/figures.hpp"
#include "model/report/fit_document.hpp"
#include "model/report/site_document.hpp"
#include "model/report/speed_document.hpp"
#include "model/sizing/cost_answer.hpp"
#include "model/sizing/fit_question.hpp"
#include "model/sizing/load_power.hpp"
#include "model/sizing/site_question.hpp"
#include "model/sizing/speed_question.hpp"

#include <iterator>
#include <utility>

namespace roofplan::model::report {
namespace {

/// Each section is a part of the document; the sections before it stay.
void append(Document& document, const std::string& key, Document section) {
  document.result.add(key, std::move(section.result));
  std::move(section.blocks.begin(), section.blocks.end(), std::back_inserter(document.blocks));
  std::move(section.warnings.begin(), section.warnings.end(), std::back_inserter(document.warnings));
  std::move(section.derivations.begin(), section.derivations.end(), std::back_inserter(document.derivations));
}

/// The powers that the vendor states, for all systems, and what the load draws.
Value power_value(const System& system, const LoadPower& power) {
  const auto systems = static_cast<double>(power.systems);
  Value out = Value::object();
  const auto add = [&](const char* key, const Figure<Watts>& figure) {
    out.add(key, figure.known() ? Value(*figure / unit::W * systems)
                                : Value::unknown(as_is(figure.unknown_reason)));
  };
  add("power_typical_w", system.power_typical);
  add("power_design_w", system.power_design);
  add("power_peak_w", system.power_peak);
  add_load_power(out, power);
  return out;
}

class PlanDocument {
 public:
  PlanDocument(Document& document, const Scenario& scenario, const SpeedData& data, const ModelFile& model)
      : document_(document),
        scenario_(scenario),
        data_(data),
        model_(model),
        system_(data.catalog().systems().find(scenario.system.ref)) {}

  bool add_fit(bool explain) {
    FitQuestion question(scenario_, data_.catalog(), model_.architecture, system_);
    question.request().explain = explain;
    const FitAnswer answer = fit(question.request());
    Document section;
    describe_fit(section, question.request(), answer, model_);
    append(document_, "fit", std::move(section));
    return answer.fits;
  }

  /// Speed, and the power that follows from it.
  void add_speed(bool explain) {
    const SpeedQuestion question(scenario_, data_, model_.architecture, system_);
    const SpeedAnswer answer = speed(question.request());
    const LoadPower power = load_power(question.request(), answer, data_.catalog().phase_power());
    Document section;
    section.result = speed_value(question.request(), answer, power);
    section.blocks = speed_blocks(question.request(), answer, power);
    if (explain) section.derivations = speed_derivations(question.request(), answer, power);
    append(document_, "speed", std::move(section));
    document_.result.add("power", power_value(system_, power));
  }

  void add_site() {
    Document section;
    try {
      const SiteRequest request = site_request(scenario_, system_, data_.catalog());
      const SiteAnswer answer = plan_site(system_, request, &section.derivations);
      describe_site(section, answer, system_);
    } catch (const InputError& e) {
      section = {};
      section.result = Value::unknown(as_is(e.message()));
    }
    append(document_, "site", std::move(section));
  }

  void add_cost() {
    const CostAnswer answer = cost_answer(scenario_, data_, &model_);
    Document section;
    section.result = cost_value(answer.options, scenario_.money, answer.why_no_tokens);
    section.blocks = cost_blocks(answer.options, scenario_.money);
    section.warnings = cost_warnings(answer.options);
    append(document_, "cost", std::move(section));
    cite_prices(document_, data_.catalog().sources(), answer.options);
  }

 private:
  Document& document_;
  const Scenario& scenario_;
  const SpeedData& data_;
  const ModelFile& model_;
  const System& system_;
};

}  // namespace

bool describe_plan(Document& document, const Scenario& scenario, const SpeedData& data,
                   const ModelFile& model, bool explain) {
  PlanDocument plan(document, scenario, data, model);
  const bool fits = plan.add_fit(explain);
  plan.add_speed(explain);
  plan.add_site();
  plan.add_cost();
  cite_derivations(document, data.catalog().sources());
  return fits;
}

}  // namespace roofplan::model::report
