#include "model/report/system_document.hpp"

#include "model/catalog/system_fields.hpp"
#include "model/report/figures.hpp"
#include "model/report/numbers.hpp"

#include <fmt/format.h>

namespace roofplan::model::report {
namespace {

using Align = Column::Align;

std::string_view class_name(System::Class c) {
  switch (c) {
    case System::Class::card:
      return "card";
    case System::Class::desktop:
      return "desktop";
    case System::Class::node:
      return "node";
    case System::Class::rack:
      return "rack";
  }
  return "";
}

Value summary(const System& system) {
  Value row = Value::object();
  row.add("id", system.id)
      .add("name", system.name)
      .add("class", class_name(system.system_class))
      .add("accelerators", system.accelerators)
      .add("accelerator", system.chip.name)
      .add("scale_up_size", system.scale_up_size)
      .add("unified_memory", system.unified_memory);
  add_figure(row, "memory_bytes", system.chip.memory_visible);
  add_figure(row, "memory_marketed_bytes", system.chip.memory_marketed);
  add_figure(row, "bandwidth_bytes_s", system.chip.memory_bandwidth, unit::B_s);
  add_figure(row, "power_typical_w", system.power_typical, unit::W);
  add_figure(row, "power_design_w", system.power_design, unit::W);
  add_figure(row, "power_peak_w", system.power_peak, unit::W);
  Value rates = Value::object();
  for (const auto& [format, rate] : system.chip.dense_rate)
    add_figure(rates, format + "_flop_s", rate, unit::FLOP_s);
  row.add("dense_rate", std::move(rates));
  return row;
}

template <class Q>
Cell in_unit(const Figure<Q>& figure, Q unit) {
  return figure.known() ? Cell(number_text(*figure / unit)) : Cell("-", Tone::faint);
}

Cell memory_cell(const Figure<ByteCount>& figure) {
  return figure.known() ? Cell(gib_text(*figure)) : Cell("-", Tone::faint);
}

Cell rate_cell(const Chip& chip, const std::string& format) {
  const auto it = chip.dense_rate.find(format);
  return it != chip.dense_rate.end() ? in_unit(it->second, unit::TFLOP_s) : Cell("-", Tone::faint);
}

std::vector<Cell> table_row(const System& system) {
  const Chip& chip = system.chip;
  return {Cell(system.id, Tone::strong),
          Cell(system.name),
          Cell(std::to_string(system.accelerators)),
          memory_cell(chip.memory_visible),
          memory_cell(chip.memory_marketed),
          in_unit(chip.memory_bandwidth, unit::GB_s),
          rate_cell(chip, "bf16"),
          rate_cell(chip, "fp8"),
          rate_cell(chip, "nvfp4"),
          in_unit(system.power_typical, unit::W),
          in_unit(system.power_design, unit::W),
          in_unit(system.power_peak, unit::W)};
}

Table summary_table() {
  Table table;
  table.columns = {Column(Text("systems.id")),
                   Column(Text("systems.name"), Align::left, "", true),
                   Column(Text("systems.accelerators"), Align::right),
                   Column(Text("systems.memory_visible"), Align::right, "GiB"),
                   Column(Text("systems.memory_marketed"), Align::right, "GiB", true),
                   Column(Text("systems.bandwidth"), Align::right, "GB/s"),
                   Column(Text("systems.rate_bf16"), Align::right, "TFLOP/s"),
                   Column(Text("systems.rate_fp8"), Align::right, "TFLOP/s", true),
                   Column(Text("systems.rate_fp4"), Align::right, "TFLOP/s", true),
                   Column(Text("systems.power_typical"), Align::right, "W"),
                   Column(Text("systems.power_design"), Align::right, "W"),
                   Column(Text("systems.power_peak"), Align::right, "W", true)};
  table.footnotes = {Text("systems.note")};
  return table;
}

Value value_of(const SystemField::Value& value) {
  Value out = Value::object();
  out.add("value", value.number ? Value(*value.number) : Value(value.text))
      .add("unit", value.unit)
      .add("source", value.source)
      .add("kind", value.kind)
      .add("tier", value.tier);
  if (!value.date.empty()) out.add("date", value.date);
  if (!value.note.empty()) out.add("note", value.note);
  return out;
}

Value field_value(const SystemField& field) {
  Value out = Value::object().add("field", field.path);
  if (!field.unknown_reason.empty()) {
    out.add("value", Value::unknown(as_is(field.unknown_reason)));
    for (const char* key : {"unit", "source", "kind"}) out.add(key, Value());
    return out;
  }
  const Value value = value_of(field.value);
  for (const Value::Member& member : value.members()) out.add(member.key, member.value);
  if (field.low && field.high) out.add("value_low", *field.low).add("value_high", *field.high);
  if (field.alternatives.empty()) return out;
  Value others = Value::list();
  for (const SystemField::Value& other : field.alternatives) others.push(value_of(other));
  return out.add("alternatives", std::move(others));
}

std::string amount_text(const SystemField& field) {
  const SystemField::Value& value = field.value;
  if (!value.number) return value.text;
  const std::string number = field.low && field.high && *field.low < *field.high
                                 ? range_text(*value.number, *field.low, *field.high)
                                 : number_text(*value.number);
  return value.unit.empty() || value.unit == "fraction" ? number : fmt::format("{} {}", number, value.unit);
}

Table field_table(const std::vector<SystemField>& fields) {
  Table table;
  table.columns = {Column(Text("systems.field")),
                   Column(Text("systems.value")),
                   Column(Text("systems.kind")),
                   Column(Text("systems.source")),
                   Column(Text("systems.date"), Align::left, "", true),
                   Column(Text("systems.remark"), Align::left, "", true)};
  for (const SystemField& field : fields) {
    if (!field.unknown_reason.empty()) {
      table.rows.push_back({Cell(field.path),
                            Cell(Text{"systems.unknown", {{"reason", field.unknown_reason}}}, Tone::faint),
                            Cell(), Cell(), Cell(), Cell()});
      continue;
    }
    const SystemField::Value& value = field.value;
    table.rows.push_back({Cell(field.path), Cell(amount_text(field)), Cell(value.kind), Cell(value.source),
                          Cell(value.date), Cell(value.note)});
    for (const SystemField::Value& other : field.alternatives) {
      const std::string amount =
          other.number ? fmt::format("{} {}", number_text(*other.number), other.unit) : other.text;
      table.rows.push_back({Cell(Text("systems.alternative"), Tone::faint), Cell(amount, Tone::faint),
                            Cell(other.kind, Tone::faint), Cell(other.source, Tone::faint),
                            Cell(other.date, Tone::faint), Cell(other.note, Tone::faint)});
    }
  }
  return table;
}

}  // namespace

void describe_systems(Document& document, const SystemCatalog& catalog) {
  Value rows = Value::list();
  Table table = summary_table();
  for (const std::string& id : catalog.ids()) {
    const System& system = catalog.find(id);
    rows.push(summary(system));
    table.rows.push_back(table_row(system));
  }
  document.result.add("systems", std::move(rows));
  document.main_list = "systems";
  document.blocks.emplace_back(std::move(table));
}

void describe_system(Document& document, const System& system, const Sources& sources) {
  const std::vector<SystemField> fields = list_fields(system, sources);
  document.result = summary(system);
  Value field_list = Value::list(), systems = Value::list();
  for (const SystemField& field : fields) {
    field_list.push(field_value(field));
    if (!field.value.source.empty()) cite(document, sources, field.value.source);
    for (const SystemField::Value& other : field.alternatives) cite(document, sources, other.source);
  }
  systems.push(summary(system));
  document.result.add("aliases", Value::list_of(system.aliases))
      .add("fields", std::move(field_list))
      .add("systems", std::move(systems));
  document.main_list = "fields";
  document.blocks.emplace_back(
      Paragraph{Text{"systems.headline",
                     {{"name", system.name}, {"count", system.accelerators}, {"chip", system.chip.name}}},
                Tone::strong});
  Table table = summary_table();
  table.rows.push_back(table_row(system));
  document.blocks.emplace_back(std::move(table));
  document.blocks.emplace_back(field_table(fields));
}

}  // namespace roofplan::model::report
