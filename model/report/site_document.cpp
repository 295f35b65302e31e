#include "model/report/site_document.hpp"

#include "model/power/cooling.hpp"
#include "model/report/numbers.hpp"

#include <fmt/format.h>

#include <cmath>

namespace roofplan::model::report {
namespace {

using Align = Column::Align;

double watts(Watts power) {
  return power / unit::W;
}

Value power_value(const std::optional<Watts>& power, const Text& reason) {
  return power ? Value(watts(*power)) : Value::unknown(reason);
}

std::optional<Watts> with_beside(const std::optional<Watts>& compute, const SiteAnswer& answer) {
  if (!compute) return std::nullopt;
  return *compute + answer.beside_compute();
}

Value racks_value(const SiteAnswer& answer) {
  return answer.racks ? Value(answer.racks->racks) : Value::unknown(Text("site.no_racks"));
}

Value stranded_value(const SiteAnswer& answer) {
  if (!answer.racks) return Value::unknown(Text("site.no_racks"));
  return power_value(answer.racks->stranded_per_rack, Text("site.no_rack_limit"));
}

Value shelves_value(const ShelfPlan& plan) {
  return Value::object()
      .add("count_per_rack", plan.count)
      .add("rating_w", watts(plan.rating))
      .add("installed_w", watts(plan.installed))
      .add("usable_n_plus_n_w", watts(plan.usable))
      .add("covers_design", plan.covers_design)
      .add("covers_peak", plan.covers_peak);
}

Value circuits_value(const SiteAnswer& answer) {
  Value list = Value::list();
  for (const CircuitPlan& plan : answer.circuits) {
    list.push(Value::object()
                  .add("circuit", plan.circuit.id)
                  .add("name", plan.circuit.name)
                  .add("usable_w", watts(plan.circuit.usable()))
                  .add("nameplate_w", watts(plan.nameplate))
                  .add("systems_per_circuit", plan.systems_per_circuit)
                  .add("circuits", plan.circuits));
  }
  return list;
}

std::vector<Cell> row(const char* label, Watts power, const char* note = "") {
  return {Cell(Text(label)), Cell(to_text(power)), Cell(note[0] != '\0' ? Text(note) : Text())};
}

Table power_table(const SiteAnswer& answer, const System& system) {
  Table table;
  table.title = Text("site.power_title");
  table.columns = {Column(Text("site.part")), Column(Text("site.power"), Align::right),
                   Column(Text("site.remark"))};
  table.rows = {row("site.compute", answer.it.compute, "site.compute_note"),
                row("site.network", answer.it.network, "site.network_note"),
                row("site.storage", answer.it.storage, "site.beside_note"),
                row("site.management", answer.it.management, "site.beside_note"),
                row("site.cooling", answer.cooling, "site.cooling_note"),
                row("site.facility", answer.facility)};
  table.rows.back()[0].tone = Tone::strong;
  if (answer.compute_design)
    table.rows.push_back(row("site.design", *answer.compute_design, "site.design_note"));
  if (answer.compute_peak) table.rows.push_back(row("site.peak", *answer.compute_peak, "site.peak_note"));
  table.footnotes = {
      Text("site.per_system", {{"typical", to_text(*system.power_typical)},
                               {"pue", fmt::format("{:g}", answer.pue)},
                               {"energy", grouped(static_cast<std::int64_t>(answer.energy_kwh_year))}})};
  return table;
}

void add_line(Table& table, const char* label, std::string text) {
  table.rows.push_back({Cell(Text(label)), Cell(std::move(text))});
}

Table room_table(const SiteAnswer& answer) {
  Table table;
  table.title = Text("site.room_title");
  table.columns = {Column(Text("site.part")), Column(Text("site.amount"))};
  table.show_header = false;
  add_line(table, "site.heat_liquid", to_text(answer.liquid));
  add_line(table, "site.heat_air", to_text(answer.air));
  if (answer.coolant)
    add_line(table, "site.coolant", fmt::format("{:.1f} L/min", *answer.coolant / unit::L_min));
  add_line(table, "site.airflow",
           fmt::format("{} CFM, {:g} K", grouped(std::llround(answer.airflow_cfm)), answer.air_rise_kelvin));
  if (answer.racks) {
    table.rows.push_back(
        {Cell(Text("site.racks")), Cell(Text("site.racks_value", {{"racks", answer.racks->racks},
                                                                  {"each", answer.racks->systems_per_rack},
                                                                  {"bound", answer.racks->bound}}))});
    if (answer.floor_m2) add_line(table, "site.floor", fmt::format("{:.3g} m2", *answer.floor_m2));
    if (answer.racks->stranded_per_rack)
      add_line(table, "site.stranded", to_text(*answer.racks->stranded_per_rack));
  }
  if (answer.accelerator_limit) add_line(table, "site.accelerator_limit", to_text(*answer.accelerator_limit));
  if (answer.shelves) {
    table.rows.push_back({Cell(Text("site.shelves")),
                          Cell(Text("site.shelves_value", {{"shelves", answer.shelves->count},
                                                           {"rating", to_text(answer.shelves->rating)},
                                                           {"usable", to_text(answer.shelves->usable)}}))});
  }
  for (const CircuitPlan& plan : answer.circuits) {
    table.rows.push_back({Cell(circuit_text(plan.circuit)),
                          Cell(Text("site.circuit_value", {{"usable", to_text(plan.circuit.usable())},
                                                           {"each", plan.systems_per_circuit},
                                                           {"circuits", plan.circuits}}))});
  }
  return table;
}

Text verdict(const SiteAnswer& answer, const System& system) {
  std::vector<Text::Argument> args{
      {"count", answer.count}, {"system", system.id}, {"gpus", Text("board.gpus", {{"count", answer.gpus}})}};
  if (answer.gpus_over == 0) return Text("site.verdict", args);
  args.emplace_back("over", answer.gpus_over);
  args.emplace_back("fewer", answer.count - 1);
  args.emplace_back("short", answer.gpus_short_less);
  return Text("site.verdict_over", args);
}

}  // namespace

Text circuit_text(const Circuit& circuit) {
  return Text(circuit.phases == 3 ? "site.circuit_three_phase" : "site.circuit",
              {{"country", circuit.country},
               {"volts", fmt::format("{:g}", circuit.volts)},
               {"amperes", fmt::format("{:g}", circuit.amperes)}});
}

Value site_value(const SiteAnswer& answer) {
  Value it = Value::object();
  it.add("compute", watts(answer.it.compute))
      .add("network", watts(answer.it.network))
      .add("storage", watts(answer.it.storage))
      .add("management", watts(answer.it.management));
  const Watts heat = answer.liquid + answer.air;
  Value out = Value::object();
  out.add("count", answer.count)
      .add("gpus", answer.gpus)
      .add("gpus_over", answer.gpus_over)
      .add("gpus_short_with_one_less", answer.gpus_short_less)
      .add("it_w", std::move(it))
      .add("it_total_w", watts(answer.it.total()))
      .add("it_design_w", power_value(answer.compute_design, answer.design_unknown))
      .add("it_peak_w", power_value(answer.compute_peak, answer.peak_unknown))
      .add("it_design_total_w",
           power_value(with_beside(answer.compute_design, answer), answer.design_unknown))
      .add("it_peak_total_w", power_value(with_beside(answer.compute_peak, answer), answer.peak_unknown))
      .add("pue", answer.pue)
      .add("cooling_w", watts(answer.cooling))
      .add("facility_w", watts(answer.facility))
      .add("heat_w", watts(heat))
      .add("heat_btu_h", heat_btu_per_hour(heat))
      .add("liquid_w", watts(answer.liquid))
      .add("air_w", watts(answer.air))
      .add("coolant_l_min",
           answer.coolant ? Value(*answer.coolant / unit::L_min) : Value::unknown(answer.coolant_unknown))
      .add("airflow_cfm", answer.airflow_cfm)
      .add("airflow_max_cfm", answer.airflow_max_cfm > 0 ? Value(answer.airflow_max_cfm)
                                                         : Value::unknown(Text("site.no_airflow")))
      .add("racks", racks_value(answer))
      .add("floor_m2", answer.floor_m2 ? Value(*answer.floor_m2) : Value::unknown(Text("site.no_racks")))
      .add("systems_per_rack",
           answer.racks ? Value(answer.racks->systems_per_rack) : Value::unknown(Text("site.no_racks")))
      .add("stranded_per_rack_w", stranded_value(answer))
      .add("power_shelves",
           answer.shelves ? shelves_value(*answer.shelves) : Value::unknown(Text("site.no_shelves")))
      .add("accelerator_limit_w", power_value(answer.accelerator_limit, Text("site.no_power_cap")))
      .add("energy_kwh_year", answer.energy_kwh_year)
      .add("circuits", circuits_value(answer));
  return out;
}

void describe_site(Document& document, const SiteAnswer& answer, const System& system) {
  document.result = site_value(answer);
  document.blocks.emplace_back(Paragraph{verdict(answer, system), Tone::strong});
  document.blocks.emplace_back(power_table(answer, system));
  document.blocks.emplace_back(room_table(answer));
  document.warnings.insert(document.warnings.end(), answer.warnings.begin(), answer.warnings.end());
}

}  // namespace roofplan::model::report
