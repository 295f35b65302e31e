#include "cli/session.hpp"
#include "cli/verbs/common_options.hpp"
#include "cli/verbs/verbs.hpp"
#include "model/report/figures.hpp"
#include "model/report/fit_document.hpp"
#include "model/sizing/fit_question.hpp"

namespace roofplan::cli {
namespace {

Outcome run_fit(Session& session) {
  Outcome outcome{session.new_answer()};
  const model::ModelFile& chosen = session.model();
  const model::System& system = session.system();
  model::FitQuestion question(session.scenario(), session.catalog(), chosen.architecture, system);
  question.request().explain = session.explain();
  const model::FitAnswer answer = model::fit(question.request());
  model::report::Document& document = outcome.document;
  model::report::describe_fit(document, question.request(), answer, chosen);
  const model::Sources& sources = session.catalog().sources();
  model::report::cite(document, sources, system.chip.memory_visible.provenance.source);
  model::report::cite(document, sources, system.reserved.provenance.source);
  model::report::cite_derivations(document, sources);
  outcome.exit_code = answer.fits ? exit_code::kDone : exit_code::kAnswerIsNo;
  return outcome;
}

}  // namespace

Verb fit_verb() {
  Verb verb;
  verb.name = "fit";
  verb.summary = "does a model fit, where the memory goes, and what would fit";
  verb.examples = {"roofplan fit gpt-oss-120b --system gb10",
                   "roofplan fit llama-3.1-70b --system dgx-b300 --context 32768 --concurrency 64",
                   "roofplan fit deepseek-v3 --system gb300-nvl72 --gpus 8 --kv fp8 -o json",
                   "roofplan fit dense:200B --system gb10 --weights int4 --explain"};
  verb.positionals = {model_argument("MODEL", false)};
  verb.options =
      joined({system_options(),
              {weights_option(), kv_option(), context_option(), concurrency_option(), engine_option()},
              parallel_options(),
              {hybrid_kv_option(), assume_option()}});
  verb.plans_requests = true;
  verb.run = run_fit;
  return verb;
}

}  // namespace roofplan::cli
