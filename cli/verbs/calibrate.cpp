#include "cli/output/emit.hpp"
#include "cli/session.hpp"
#include "cli/verbs/measure_machine.hpp"
#include "cli/verbs/verbs.hpp"
#include "model/calibration/table_layout.hpp"
#include "model/report/machine_document.hpp"
#include "model/report/validation_document.hpp"

#include <fmt/format.h>

namespace roofplan::cli {
namespace {

using model::Calibration;
using model::CsvTable;
using model::InputError;

Outcome outcome_of(Session& session, const Calibration& calibration) {
  Outcome outcome{session.new_document()};
  outcome.document.verb = "calibration";  // the document is the calibration file
  outcome.document.inputs = model::report::Value::object();
  model::report::describe_calibration(outcome.document, calibration);
  model::report::describe_machine(outcome.document, calibration);
  return outcome;
}

Outcome from_points(Session& session, const std::vector<std::string>& files) {
  std::vector<CsvTable> tables;
  for (const std::string& file : files) tables.push_back(CsvTable::read(file));
  std::vector<std::string> wanted;
  if (const auto system = session.arguments().get("system")) wanted.push_back(*system);
  const std::vector<Calibration> calibrations =
      model::calibrate_from(tables, wanted, session.speed_data().calibrations());
  if (calibrations.size() != 1) {
    std::vector<std::string> names;
    for (const Calibration& c : calibrations) names.push_back(c.device.system);
    throw InputError(InputError::Kind::usage, fmt::format("the points are of {} systems", names.size()),
                     fmt::format("--system with one of: {}", fmt::join(names, ", ")));
  }
  Outcome outcome = outcome_of(session, calibrations.front());
  model::report::Value named = model::report::Value::list();
  for (const CsvTable& table : tables) named.push(table.file());
  outcome.document.inputs.add("points", std::move(named));
  return outcome;
}

Outcome run_checks(Session& session) {
  using model::Text;
  using model::report::Cell;
  using model::report::Tone;
  using model::report::Value;
  Outcome outcome{session.new_document()};
  Value list = Value::list();
  model::report::Table table;
  table.columns = {model::report::Column(Text("calibrate.probe")),
                   model::report::Column(Text("calibrate.right"))};
  for (const auto& [name, right] : check_machine(session)) {
    list.push(Value::object().add("name", name).add("pass", right));
    table.rows.push_back(
        {Cell(name), Cell(Text(right ? "calibrate.yes" : "calibrate.no"), right ? Tone::plain : Tone::bad)});
    if (!right) outcome.exit_code = exit_code::kAnswerIsNo;
  }
  outcome.document.result.add("checks", std::move(list));
  outcome.document.main_list = "checks";
  outcome.document.blocks.emplace_back(std::move(table));
  return outcome;
}

Outcome run_calibrate(Session& session) {
  if (session.arguments().has("check")) return run_checks(session);
  if (const auto files = session.arguments().all("points"); !files.empty())
    return from_points(session, files);
  const std::optional<probe::Launch> launch = launch_here();
  const probe::DeviceRun run = launch ? measure_together(session, *launch) : measure_machine(session);
  if (launch && launch->rank > 0) {  // the first of them writes
    Outcome silent{session.new_document()};
    silent.printed = true;
    return silent;
  }
  if (run.interrupted && run.calibration.probes.empty()) {
    write_stderr("roofplan: interrupted before anything was measured");
    Outcome nothing{session.new_document()};
    nothing.printed = true;
    nothing.exit_code = exit_code::kInterrupted;
    return nothing;
  }
  Outcome outcome = outcome_of(session, run.calibration);
  outcome.document.inputs.add("backend", run.calibration.device.kind)
      .add("quick", session.arguments().has("quick"));
  outcome.interrupted = run.interrupted;
  if (run.interrupted) outcome.exit_code = exit_code::kStopped;
  return outcome;
}

}  // namespace

Verb calibrate_verb() {
  Verb verb;
  verb.name = "calibrate";
  verb.summary = "measure this machine, or take points measured elsewhere, and fit the model to it";
  verb.examples = {"roofplan calibrate --quick --out this.json", "roofplan calibrate --check --backend cpu",
                   "roofplan calibrate --points nccl.csv --system a100_lab -o json"};
  verb.options = {
      word("backend",
           "what to measure; auto takes a GPU where there is one; started by mpirun or srun, one process a "
           "GPU, "
           "what the processes exchange",
           {"auto", "cuda", "cpu"}),
      flag("quick", "fewer probes and less time for each: under a minute"),
      flag("check", "only run each kind of probe once on small sizes and see that its result is right"),
      path("points", "a table of measured points, told by its header").value("FILE").many(),
      text("system", "the system to fit, as the tables call it; needed where they hold several").value("S")};
  verb.run = run_calibrate;
  return verb;
}

}  // namespace roofplan::cli
