#include "cli/session.hpp"
#include "cli/verbs/common_options.hpp"
#include "cli/verbs/verbs.hpp"
#include "cli/version.hpp"
#include "model/export/launch_script.hpp"
#include "model/export/training_script.hpp"
#include "model/memory/fit_texts.hpp"
#include "model/report/export_document.hpp"
#include "model/report/figures.hpp"
#include "model/sizing/speed_question.hpp"

#include <fmt/format.h>

namespace roofplan::cli {
namespace {

using model::InputError;
namespace report = model::report;

const std::vector<std::string> kTargets{"vllm", "trtllm", "sglang", "llamacpp", "sbatch", "k8s"};

/// Settings planned for one engine mean nothing to another.
void check_target(const std::string& target, const model::EngineProfile& engine) {
  if (target == "sbatch" || target == "k8s") return;
  const std::string wanted = target == "llamacpp" ? "llama.cpp" : target;
  if (engine.id == wanted) return;
  throw InputError(InputError::Kind::usage,
                   fmt::format("the scenario is planned with {}, not {}", engine.id, wanted),
                   fmt::format("--set engine.ref={} plans with it", wanted));
}

std::string text_of(const std::string& target, const model::LaunchSettings& settings) {
  const std::string program = "roofplan " + this_program().version;
  if (target == "sbatch") return model::sbatch_script(settings, program);
  if (target == "k8s") return model::kubernetes_manifest(settings, program);
  return model::launch_script(settings, program);
}

/// A plan that does not fit has nothing to launch: the answer is no, with the reasons of `fit`.
Outcome refuse_unfit(Outcome outcome, const model::SpeedAnswer& answer) {
  report::Document& document = outcome.document;
  document.result.add("text", report::Value::unknown(answer.fit.verdict));
  document.blocks.emplace_back(report::Paragraph{answer.fit.verdict, report::Tone::bad});
  for (const model::Text& reason : answer.fit.reasons)
    document.blocks.emplace_back(report::Paragraph{reason});
  outcome.exit_code = exit_code::kAnswerIsNo;
  return outcome;
}

/// The job file of a training run.
Outcome export_training(Session& session, Outcome outcome) {
  const model::TrainingSettings settings =
      model::training_settings(session.scenario(), session.system(), session.model().architecture);
  report::describe_training(outcome.document, settings,
                            model::training_script(settings, "roofplan " + this_program().version));
  return outcome;
}

Outcome run_export(Session& session) {
  const std::string target = *session.arguments().get("TARGET");
  Outcome outcome{session.new_answer()};
  if (target == "sbatch" && session.scenario().train) return export_training(session, std::move(outcome));
  const model::ModelFile& chosen = session.model();
  const model::SpeedQuestion question(session.scenario(), session.speed_data(), chosen.architecture,
                                      session.system());
  check_target(target, *question.request().fit.engine);
  const model::SpeedAnswer answer = model::speed(question.request());
  if (!answer.fits) return refuse_unfit(std::move(outcome), answer);
  const model::LaunchSettings settings =
      model::launch_settings(session.scenario(), question.request(), answer, chosen);
  report::describe_export(outcome.document, settings, text_of(target, settings));
  if (auto beyond = model::beyond_model(chosen.architecture, answer.fit.context))
    outcome.document.warnings.push_back(std::move(*beyond));
  for (const std::string& source : model::engine_launch(settings).sources)
    report::cite(outcome.document, session.catalog().sources(), source);
  return outcome;
}

}  // namespace

Verb export_verb() {
  Verb verb;
  verb.name = "export";
  verb.summary = "the launch line or job file with the settings that a plan assumed";
  verb.examples = {"roofplan export llamacpp lab.json", "roofplan export sbatch lab.json",
                   "roofplan export k8s lab.json"};
  verb.positionals = {
      word("TARGET", "an engine, a Slurm batch script or a Kubernetes manifest", kTargets).needed(),
      path("SCENARIO", "a scenario file; roofplan scenario --sample prints some")};
  verb.options = joined({system_options(), {engine_option()}, parallel_options(), {assume_option()}});
  verb.plans_requests = true;
  verb.run = run_export;
  return verb;
}

}  // namespace roofplan::cli
