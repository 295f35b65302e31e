#include "cli/session.hpp"
#include "cli/verbs/common_options.hpp"
#include "cli/verbs/verbs.hpp"
#include "model/acceptance/acceptance.hpp"
#include "model/acceptance/log_reader.hpp"
#include "model/acceptance/scaling_file.hpp"
#include "model/calibration/fabric_path.hpp"
#include "model/report/acceptance_document.hpp"
#include "model/report/figures.hpp"
#include "model/sizing/speed_question.hpp"

#include <fmt/format.h>

namespace roofplan::cli {
namespace {

using model::Acceptance;
using model::Evidence;
using model::InputError;

Evidence read_logs(Session& session) {
  Evidence evidence;
  for (const std::string& file : model::log_files(session.arguments().all("LOG")))
    model::read_log_file(file, evidence);
  return evidence;
}

/// Throughput of the scenario's model on so many systems.
void expect_throughput(Session& session, model::ScalingTable& table) {
  model::SpeedQuestion question(session.scenario(), session.speed_data(), session.model().architecture,
                                session.system());
  for (const model::ScalingMeasurement& row : table.rows) question.request().nodes.push_back(row.nodes);
  const model::SpeedAnswer answer = model::speed(question.request());
  for (std::size_t i = 0; i < answer.scaling.size() && i < table.rows.size(); ++i) {
    table.rows[i].expected = answer.scaling[i].output / model::unit::tok_s;
    table.rows[i].tolerance = 1 - 1 / answer.ranges.request.high;
  }
}

void expect_bandwidth(const model::Promise& promise, model::ScalingTable& table) {
  for (model::ScalingMeasurement& row : table.rows) {
    const double expected = model::expected_bus_bandwidth(promise, row.nodes);
    if (expected <= 0) continue;
    row.expected = expected;
    const bool across = row.nodes * promise.system->accelerators > promise.path.domain_ranks;
    row.tolerance = *(across ? promise.limits->shortfall_outside : promise.limits->shortfall_inside);
  }
}

/// Measurements over node counts beside what the table, the links or the scenario's model lets expect.
void add_scaling(Session& session, const model::Promise& promise, Acceptance& acceptance) {
  const auto file = session.arguments().get("scaling");
  if (!file) return;
  model::ScalingTable table =
      model::read_scaling(model::CsvTable::read(*file), *promise.limits->shortfall_outside);
  if (!table.rows.front().expected) {
    if (table.is_bus_bandwidth) {
      expect_bandwidth(promise, table);
    } else if (!session.scenario().model.ref.empty()) {
      expect_throughput(session, table);
    }
  }
  for (model::ScalingVerdict& point : model::judge_scaling(table.rows, table.quantity, table.unit))
    acceptance.scaling.push_back(std::move(point));
}

/// Logs in which no tool is found at all are no answer but a mistake.
void refuse_unknown(const Evidence& evidence, const model::report::TextTable& texts) {
  for (const model::LogFile& file : evidence.files) {
    if (!file.tools.empty()) return;
  }
  std::string why = "no file is given";
  if (!evidence.files.empty() && !evidence.files.front().problems.empty())
    why = texts.of(evidence.files.front().problems.front().text);
  throw InputError(InputError::Kind::content, why, "the output of a tool that accept reads; see --help",
                   {evidence.files.empty() ? "" : evidence.files.front().name, {}, 0});
}

int exit_code_of(Acceptance::Verdict verdict) {
  switch (verdict) {
    case Acceptance::Verdict::pass:
      return exit_code::kDone;
    case Acceptance::Verdict::fail:
      return exit_code::kAnswerIsNo;
    case Acceptance::Verdict::incomplete:
      return exit_code::kBadContent;
  }
  return exit_code::kInternal;
}

void cite(model::report::Document& document, const model::Sources& sources,
          const model::AcceptanceLimits& limits, const model::LinkRecord& links) {
  for (const std::string& id :
       {limits.shortfall_inside.provenance.source, limits.shortfall_outside.provenance.source,
        limits.outlier_deviations.provenance.source, limits.nvlink_errors.provenance.source,
        limits.least_work.provenance.source, limits.xid_source.source})
    model::report::cite(document, sources, id);
  for (const auto& [name, provenance] : links.provenance)
    model::report::cite(document, sources, provenance.source);
}

Outcome run_accept(Session& session) {
  const model::System& system = session.system();
  const model::Catalog& catalog = session.catalog();
  const Evidence evidence = read_logs(session);
  if (!session.arguments().has("scaling")) refuse_unknown(evidence, session.texts());
  const model::AcceptanceLimits limits = model::load_acceptance_limits(catalog.files(), catalog.sources());
  model::Promise promise;
  promise.system = &system;
  promise.limits = &limits;
  promise.phases = &catalog.phase_power();
  promise.models = &catalog.models();
  promise.calibrations = &session.speed_data().calibrations();
  promise.ranges = &session.speed_data().ranges();
  if (session.arguments().has("count")) promise.count = session.scenario().system.count;
  promise.path = model::fabric_path(system, session.speed_data().calibrations(), catalog.links(),
                                    model::LinkState::measured);
  Acceptance acceptance = model::judge(evidence, promise);
  add_scaling(session, promise, acceptance);
  Outcome outcome{session.new_document()};
  outcome.document.inputs.add("system", system.id).add("logs", evidence.files.size());
  model::report::describe_acceptance(outcome.document, acceptance, evidence, promise);
  cite(outcome.document, catalog.sources(), limits, catalog.links().record_of(system));
  outcome.exit_code = exit_code_of(model::verdict_of(acceptance, evidence));
  return outcome;
}

}  // namespace

Verb accept_verb() {
  Verb verb;
  verb.name = "accept";
  verb.summary = "delivered hardware against what was promised, from the logs of its tests";
  verb.examples = {"roofplan accept logs/ --system dgx-h200 --count 2",
                   "roofplan accept logs/nccl-tests.log --system dgx-h200 -o md",
                   "roofplan accept --system dgx-h200 --scaling nodes.csv"};
  verb.positionals = {
      path("LOG",
           "output of nccl-tests, nvbandwidth (text, -j), ib_write_bw, llama-bench (json, csv, md), "
           "nvidia-smi (-q, --query-gpu CSV, nvlink), dcgmi diag -j, DCGM-Exporter, the kernel log, "
           "our calibration files; of one node or many, alone or pasted together; a folder stands "
           "for every file below it")
          .many()};
  verb.options = {field("system", "system.ref").offers(Option::Offer::systems),
                  field("count", "system.count"),
                  path("scaling",
                       "measurements over node counts: nodes, measured and, where known, expected; beside "
                       "--scenario with a model, or as busbw_gb_s, the expectation is ours")
                      .value("FILE.csv")};
  verb.run = run_accept;
  return verb;
}

}  // namespace roofplan::cli
