#include "cli/session.hpp"
#include "cli/verbs/common_options.hpp"
#include "cli/verbs/verbs.hpp"
#include "model/report/figures.hpp"
#include "model/report/speed_document.hpp"
#include "model/sizing/load_power.hpp"
#include "model/sizing/speed_question.hpp"

namespace roofplan::cli {
namespace {

std::vector<std::int64_t> node_counts(const Arguments& arguments) {
  std::vector<std::int64_t> out;
  const auto given = arguments.get("nodes");
  if (!given) return out;
  const Option each = count("nodes", "");
  for (const std::string& word : split_list(*given)) {
    check_value(each, word);
    out.push_back(model::parse_count(word));
  }
  return out;
}

Outcome run_speed(Session& session) {
  Outcome outcome{session.new_answer()};
  const model::ModelFile& chosen = session.model();
  const model::System& system = session.system();
  model::SpeedQuestion question(session.scenario(), session.speed_data(), chosen.architecture, system);
  question.request().nodes = node_counts(session.arguments());
  question.request().fit.explain = session.explain();
  const model::SpeedAnswer answer = model::speed(question.request());
  const model::LoadPower power =
      model::load_power(question.request(), answer, session.catalog().phase_power());
  model::report::describe_speed(outcome.document, question.request(), answer, power, chosen);
  const model::Sources& sources = session.catalog().sources();
  model::report::cite(outcome.document, sources, system.chip.memory_bandwidth.provenance.source);
  const auto& kernels = question.request().engine->kernels;
  for (const auto& k : kernels) model::report::cite(outcome.document, sources, k.memory.provenance.source);
  model::report::cite(outcome.document, sources, session.catalog().phase_power().decode.provenance.source);
  model::report::cite_derivations(outcome.document, sources);
  outcome.exit_code = answer.fits ? exit_code::kDone : exit_code::kAnswerIsNo;
  return outcome;
}

}  // namespace

Verb speed_verb() {
  Verb verb;
  verb.name = "speed";
  verb.summary = "how fast a model runs: tokens a second, time to first token, and where the time goes";
  verb.examples = {
      "roofplan speed llama-3.1-8b --system gb10 --engine llama.cpp --weights q8_0",
      "roofplan speed gpt-oss-120b --system dgx-b200 --prompt 2048 --output 512 --concurrency 64",
      "roofplan speed llama-3.1-70b --system dgx-h100 --tp 8 --nodes 1,2,4 -o json"};
  verb.positionals = {model_argument("MODEL", false)};
  verb.options = joined({system_options(),
                         {weights_option(), kv_option(), field("prompt", "load.prompt_tokens").value("P"),
                          output_tokens_option(), concurrency_option(),
                          field("depth", "load.depth_tokens").value("D"), engine_option()},
                         parallel_options(),
                         {field("link-state", "system.link_state"), field("prefix-hit", "load.prefix_hit"),
                          field("routing", "load.routing"), power_cap_option(),
                          list("nodes", "numbers of systems for the scaling curve, as 1,2,4,8"),
                          hybrid_kv_option(), assume_option()}});
  verb.plans_requests = true;
  verb.run = run_speed;
  return verb;
}

}  // namespace roofplan::cli
