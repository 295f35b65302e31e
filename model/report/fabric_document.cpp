#include "model/report/fabric_document.hpp"

#include "model/report/numbers.hpp"

#include <fmt/format.h>

namespace roofplan::model::report {
namespace {

using Align = Column::Align;

std::string_view use_name(BillLine::Use use) {
  switch (use) {
    case BillLine::Use::leaf:
      return "leaf";
    case BillLine::Use::spine:
      return "spine";
    case BillLine::Use::core:
      return "core";
    case BillLine::Use::switch_optic:
      return "switch_optic";
    case BillLine::Use::node_optic:
      return "node_optic";
    case BillLine::Use::nic:
      return "nic";
    case BillLine::Use::cable:
      return "cable";
  }
  return {};
}

Value bill_value(const FabricPlan& plan) {
  Value list = Value::list();
  for (const BillLine& line : plan.bill) {
    list.push(Value::object()
                  .add("use", use_name(line.use))
                  .add("part", line.part)
                  .add("name", line.name)
                  .add("count", line.count)
                  .add("power_each_w", line.power_each ? Value(*line.power_each / unit::W)
                                                       : Value::unknown(Text("fabric.no_power")))
                  .add("power_counted_in_system", line.inside_system)
                  .add("price_each", line.price_each ? Value(line.price_each->amount())
                                                     : Value::unknown(Text("fabric.no_price"))));
  }
  return list;
}

Value collectives_value(const FabricPlan& plan) {
  Value list = Value::list();
  for (const TimedMessage& timed : plan.collectives) {
    list.push(Value::object()
                  .add("op", to_text(timed.message.op))
                  .add("bytes", static_cast<std::int64_t>(timed.message.bytes / unit::B))
                  .add("ranks", timed.message.ranks)
                  .add("time_s", timed.time / unit::s)
                  .add("algbw_bytes_s", algorithm_bandwidth(timed.message, timed.time) / unit::B_s)
                  .add("busbw_bytes_s", bus_bandwidth(timed.message, timed.time) / unit::B_s));
  }
  return list;
}

Table bill_table(const FabricPlan& plan, const System& system, std::int64_t count) {
  Table table;
  table.title = Text("fabric.title", {{"count", count}, {"system", system.id}});
  table.columns = {Column(Text("fabric.use")), Column(Text("fabric.part")),
                   Column(Text("fabric.number"), Align::right),
                   Column(Text("fabric.power_each"), Align::right)};
  for (const BillLine& line : plan.bill) {
    table.rows.push_back({Cell(use_text(line.use)), Cell(line.name), Cell(grouped(line.count)),
                          line.inside_system ? Cell(Text("fabric.in_system"), Tone::faint)
                          : line.power_each  ? Cell(to_text(*line.power_each))
                                             : Cell(Text("fabric.unknown"), Tone::caution)});
  }
  if (plan.topology.leaf > 0) {
    table.footnotes.push_back(Text("fabric.tiers", {{"count", plan.topology.tiers()},
                                                    {"cables", plan.cables},
                                                    {"group", plan.topology.nodes_per_group}}));
  } else {
    table.footnotes.push_back(Text("fabric.direct"));
  }
  table.footnotes.push_back(
      Text(plan.unpowered.empty() ? "fabric.power" : "fabric.power_least", {{"power", to_text(plan.power)}}));
  return table;
}

Table times_table(const FabricPlan& plan) {
  Table table;
  table.title = Text("fabric.times", {{"count", plan.collectives.front().message.ranks}});
  table.columns = {Column(Text("fabric.operation")), Column(Text("fabric.size"), Align::right),
                   Column(Text("fabric.time"), Align::right),
                   Column(Text("fabric.busbw"), Align::right, "GB/s")};
  for (const TimedMessage& timed : plan.collectives) {
    table.rows.push_back({Cell(std::string(to_text(timed.message.op))),
                          Cell(to_text(ceil_bytes(timed.message.bytes))), Cell(to_text(timed.time)),
                          Cell(number_text(bus_bandwidth(timed.message, timed.time) / unit::GB_s))});
  }
  return table;
}

void add_published(Document& document, const FabricPlan& plan, const ScalableUnit::Stage& stage) {
  const Topology& t = plan.topology;
  document.result.add(
      "published", Value::object().add("leaf", stage.leaf).add("spine", stage.spine).add("core", stage.core));
  const bool same = t.leaf == stage.leaf && t.spine == stage.spine && t.core == stage.core;
  const auto counts = [](std::int64_t leaf, std::int64_t spine, std::int64_t core) {
    return fmt::format("{}/{}/{}", leaf, spine, core);
  };
  document.blocks.emplace_back(Paragraph{Text(same ? "fabric.as_published" : "fabric.not_as_published",
                                              {{"ours", counts(t.leaf, t.spine, t.core)},
                                               {"published", counts(stage.leaf, stage.spine, stage.core)}}),
                                         same ? Tone::good : Tone::caution});
}

}  // namespace

Text use_text(BillLine::Use use) {
  switch (use) {
    case BillLine::Use::leaf:
      return Text("fabric.leaf");
    case BillLine::Use::spine:
      return Text("fabric.spine");
    case BillLine::Use::core:
      return Text("fabric.core");
    case BillLine::Use::switch_optic:
      return Text("fabric.switch_optic");
    case BillLine::Use::node_optic:
      return Text("fabric.node_optic");
    case BillLine::Use::nic:
      return Text("fabric.nic");
    case BillLine::Use::cable:
      return Text("fabric.cable");
  }
  return {};
}

void describe_fabric(Document& document, const FabricPlan& plan, const System& system, std::int64_t count,
                     const std::optional<ScalableUnit::Stage>& published) {
  const Topology& t = plan.topology;
  document.result.add("leaf", t.leaf)
      .add("spine", t.spine)
      .add("core", t.core)
      .add("tiers", t.leaf > 0 ? t.tiers() : 0)
      .add("nodes_per_group", t.nodes_per_group)
      .add("oversubscription", plan.oversubscription)
      .add("cables", plan.cables)
      .add("cables_by_tier",
           Value::object().add("host", t.host_cables).add("leaf", t.leaf_cables).add("spine", t.spine_cables))
      .add("transceivers", plan.transceivers)
      .add("nics", plan.nics)
      .add("power_w", plan.power / unit::W)
      .add("unpowered", Value::list_of(plan.unpowered))
      .add("cost", plan.cost ? Value(plan.cost->amount()) : Value::unknown(Text("fabric.no_price_at_all")))
      .add("currency",
           plan.cost ? Value(plan.cost->currency().code()) : Value::unknown(Text("fabric.no_price_at_all")))
      .add("unpriced", Value::list_of(plan.unpriced))
      .add("bill", bill_value(plan))
      .add("collectives", collectives_value(plan));
  document.main_list = "collectives";
  if (!plan.bill.empty()) document.blocks.emplace_back(bill_table(plan, system, count));
  if (published) add_published(document, plan, *published);
  if (!plan.collectives.empty()) document.blocks.emplace_back(times_table(plan));
  if (!plan.unpriced.empty()) {
    document.warnings.push_back(
        Text("fabric.unpriced", {{"parts", fmt::format("{}", fmt::join(plan.unpriced, ", "))}}));
  }
  if (!plan.unpowered.empty()) {
    document.warnings.push_back(
        Text("fabric.unpowered", {{"parts", fmt::format("{}", fmt::join(plan.unpowered, ", "))}}));
  }
}

}  // namespace roofplan::model::report
