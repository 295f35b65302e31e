#include "model/report/machine_document.hpp"

#include "model/units/unit_text.hpp"

#include <fmt/format.h>

namespace roofplan::model::report {
namespace {

using Align = Column::Align;

std::string verdict_text(const CalibrationVerdict& verdict, double value) {
  if (verdict.name.ends_with("_bytes_s")) return to_text(value * unit::B_s);
  if (verdict.name.ends_with("_flop_s")) return to_text(value * unit::FLOP_s);
  return fmt::format("{:.4g}", value);
}

Cell judgement(const CalibrationVerdict& verdict) {
  if (!verdict.reached) return Cell(as_is(verdict.reason), Tone::faint);
  return *verdict.reached ? Cell(Text("calibrate.reached"), Tone::good)
                          : Cell(Text("calibrate.missed"), Tone::bad);
}

Table verdict_table(const Calibration& calibration) {
  Table table;
  table.title = Text("calibrate.verdict");
  table.columns = {Column(Text("calibrate.quantity")), Column(Text("calibrate.measured"), Align::right),
                   Column(Text("calibrate.datasheet"), Align::right), Column(Text("calibrate.judgement"))};
  for (const CalibrationVerdict& v : calibration.verdict) {
    table.rows.push_back({Cell(v.name), Cell(verdict_text(v, v.measured)),
                          Cell(v.datasheet ? verdict_text(v, *v.datasheet) : "-"), judgement(v)});
  }
  return table;
}

Cell time_cell(double seconds) {
  return Cell(seconds > 0 ? to_text(seconds * unit::s) : "-");
}
Cell error_cell(double predicted_s, double measured_s) {
  const bool known = predicted_s > 0 && measured_s > 0;
  return Cell(known ? fmt::format("{:+.1f} %", 100 * (predicted_s / measured_s - 1)) : "-");
}

/// Each replay, and under it its operators run alone.
Table replay_table(const Calibration& calibration) {
  Table table;
  table.title = Text("calibrate.replay");
  table.columns = {Column(Text("calibrate.model")),
                   Column(Text("calibrate.batch"), Align::right),
                   Column(Text("calibrate.depth"), Align::right),
                   Column(Text("calibrate.predicted"), Align::right),
                   Column(Text("calibrate.measured"), Align::right),
                   Column(Text("calibrate.error"), Align::right)};
  for (const ReplayResult& r : calibration.replay) {
    const std::string name = r.devices > 1 ? fmt::format("{}, TP {}", r.model, r.devices) : r.model;
    table.rows.push_back({Cell(name), Cell(fmt::format("{}", r.batch)), Cell(fmt::format("{}", r.depth)),
                          Cell(to_text(r.predicted_s * unit::s)), Cell(to_text(r.measured_s * unit::s)),
                          error_cell(r.predicted_s, r.measured_s)});
    for (const ReplayPart& part : r.parts) {
      table.rows.push_back({Cell("  " + part.op), Cell(""), Cell(""), time_cell(part.predicted_s),
                            time_cell(part.measured_s), error_cell(part.predicted_s, part.measured_s)});
      for (Cell& cell : table.rows.back()) cell.tone = Tone::faint;
    }
  }
  return table;
}

}  // namespace

void describe_machine(Document& document, const Calibration& calibration) {
  if (!calibration.device.measured_here()) return;
  if (!calibration.verdict.empty()) document.blocks.emplace_back(verdict_table(calibration));
  if (!calibration.replay.empty()) document.blocks.emplace_back(replay_table(calibration));
  for (const std::string& note : calibration.notes)
    document.blocks.emplace_back(Paragraph{as_is(note), Tone::faint});
}

}  // namespace roofplan::model::report
