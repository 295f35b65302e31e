#include "model/report/board/money_text.hpp"
#include "model/report/board/sections.hpp"
#include "model/report/numbers.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace roofplan::model::report {
namespace {

using Align = Column::Align;

Text swing_text(CostSwing::What what) {
  switch (what) {
    case CostSwing::What::price:
      return Text("board.swing_price");
    case CostSwing::What::electricity:
      return Text("board.swing_electricity");
    case CostSwing::What::support:
      return Text("board.swing_support");
    case CostSwing::What::speed:
      return Text("board.swing_speed");
    case CostSwing::What::load:
      return Text("board.swing_load");
    case CostSwing::What::exchange:
      return Text("board.swing_exchange");
  }
  return {};
}

RangeChart swing_chart(const PurchaseCase& c, const MoneyScale& scale) {
  RangeChart chart;
  chart.title = Text("board.swing_chart");
  chart.axis = {scale.labelled(Text("size.total")), false};
  chart.base = scale.scaled(c.plan.cost.total.amount());
  for (const CostSwing& swing : c.swings) {
    if (!swing.low || !swing.high) continue;
    chart.rows.push_back({swing_text(swing.what), scale.scaled(*swing.low), scale.scaled(*swing.high),
                          scale.number(*swing.low), scale.number(*swing.high)});
  }
  return chart;
}

Table swing_table(const PurchaseCase& c, const MoneyScale& scale) {
  Table table;
  table.columns = {Column(Text("board.swing")), Column(scale.labelled(Text("board.low")), Align::right),
                   Column(scale.labelled(Text("board.high")), Align::right),
                   Column(Text("board.systems_needed"), Align::right)};
  for (const CostSwing& swing : c.swings) {
    const auto amount = [&](const std::optional<double>& total) {
      return total ? Cell(scale.number(*total)) : Cell(Text("board.no_plan"), Tone::bad);
    };
    const bool counted = swing.count_low != swing.count_high;
    const auto count = [](std::int64_t n) { return n > 0 ? grouped(n) : std::string("-"); };
    table.rows.push_back(
        {Cell(swing_text(swing.what)), amount(swing.low), amount(swing.high),
         counted ? Cell(fmt::format("{} ~ {}", count(swing.count_low), count(swing.count_high)))
                 : Cell(grouped(swing.count_low > 0 ? swing.count_low : c.plan.count), Tone::faint)});
  }
  return table;
}

Table decision_table(const BoardCase& board) {
  Table table;
  table.title = Text("board.would_change");
  table.columns = {Column(Text("board.if")), Column(Text("board.decision_changes"))};
  for (const SizeVariation& v : board.answer.sensitivity)
    table.rows.push_back({Cell(v.text), Cell(Text(v.decision_changes ? "scale.yes" : "scale.no"),
                                             v.decision_changes ? Tone::caution : Tone::plain)});
  return table;
}

}  // namespace

PageBlocks sensitivity_section(const BoardCase& board) {
  const PurchaseCase& c = *board.purchase;
  PageBlocks out;
  out.emplace_back(Heading{Text("board.sensitivity"), false});
  if (!c.swings.empty()) {
    double largest = c.plan.cost.total.amount();
    for (const CostSwing& swing : c.swings) largest = std::max(largest, swing.high.value_or(0));
    const MoneyScale scale(largest, board.scenario().money.currency);
    out.emplace_back(Chart(swing_chart(c, scale)));
    out.emplace_back(swing_table(c, scale));
  }
  if (!board.answer.sensitivity.empty()) out.emplace_back(decision_table(board));
  return out;
}

}  // namespace roofplan::model::report
