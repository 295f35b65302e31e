#include "model/report/board/money_text.hpp"
#include "model/report/board/sections.hpp"
#include "model/report/numbers.hpp"
#include "model/report/size_decision.hpp"
#include "model/report/size_document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace roofplan::model::report {
namespace {

using Align = Column::Align;

constexpr const char* kFrontier = " \u25C6";

std::string margin_text(double margin) {
  constexpr double kMost = 10;
  return margin > kMost ? "> 1,000 %" : fmt::format("{:.0f} %", 100 * margin);
}

bool on_frontier(const SizeAnswer& answer, std::size_t plan) {
  return std::find(answer.pareto.begin(), answer.pareto.end(), plan) != answer.pareto.end();
}

std::vector<std::size_t> feasible(const SizeAnswer& answer, bool priced) {
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < answer.plans.size(); ++i)
    if (answer.plans[i].feasible && answer.plans[i].priced == priced) out.push_back(i);
  return out;
}

/// How the model is divided; and in which format, where plans differ in it.
std::string division_text(const SizeAnswer& answer, const SizePlan& plan) {
  const bool alike = std::all_of(answer.plans.begin(), answer.plans.end(),
                                 [&](const SizePlan& other) { return other.weights == plan.weights; });
  return alike ? split_text(plan) : plan.weights + ", " + split_text(plan);
}

/// Columns that every plan has.
std::vector<Cell> common_cells(const SizeAnswer& answer, std::size_t i) {
  const SizePlan& plan = answer.plans[i];
  const Cell none("-", Tone::faint);
  return {Cell(fmt::format("{}{}", i + 1, on_frontier(answer, i) ? kFrontier : "")),
          Cell(plan_name(plan), i == 0 ? Tone::strong : Tone::plain),
          Cell(division_text(answer, plan)),
          plan.tok_s_per_user ? Cell(number_text(*plan.tok_s_per_user)) : none,
          Cell(to_text(plan.ttft)),
          plan.power_typical ? Cell(to_text(*plan.power_typical)) : none};
}

std::vector<Column> common_columns() {
  return {Column(Text("board.rank")),
          Column(Text("size.plan")),
          Column(Text("size.split")),
          Column(Text("board.speed_user"), Align::right, "tok/s"),
          Column(Text("size.first_token"), Align::right),
          Column(Text("size.power"), Align::right)};
}

Table priced_table(const BoardCase& board, const std::vector<std::size_t>& plans) {
  const SizeAnswer& answer = board.answer;
  double largest = 0;
  bool bounded = false;
  for (const std::size_t i : plans) {
    largest = std::max(largest, answer.plans[i].cost.total.amount());
    bounded = bounded || !answer.plans[i].cost.unpriced.empty();
  }
  const MoneyScale scale(largest, board.scenario().money.currency);
  Table table;
  table.columns = common_columns();
  table.columns.emplace_back(Text("size.racks"), Align::right);
  table.columns.emplace_back(scale.labelled(Text("size.capital")), Align::right);
  table.columns.emplace_back(scale.labelled(Text("size.total")), Align::right);
  table.columns.emplace_back(Text("size.margin"), Align::right);
  const Cell none("-", Tone::faint);
  for (const std::size_t i : plans) {
    const SizePlan& plan = answer.plans[i];
    const char* bound = plan.cost.unpriced.empty() ? "" : "\u2265 ";
    table.rows.push_back(common_cells(answer, i));
    std::vector<Cell>& row = table.rows.back();
    row.push_back(plan.racks ? Cell(grouped(*plan.racks)) : none);
    row.emplace_back(bound + scale.number(plan.cost.capital.amount()));
    row.emplace_back(bound + scale.number(plan.cost.total.amount()));
    row.push_back(plan.margin ? Cell(margin_text(*plan.margin)) : none);
  }
  table.footnotes = {Text("board.plans_note", {{"years", years_text(board.scenario().money.years)}})};
  if (bounded) table.footnotes.emplace_back("board.bound_note");
  if (std::any_of(plans.begin(), plans.end(),
                  [&](std::size_t i) { return answer.plans[i].pools.has_value(); }))
    table.footnotes.emplace_back("size.pools");
  return table;
}

Table unpriced_table(const BoardCase& board, const std::vector<std::size_t>& plans) {
  Table table;
  table.title = Text("board.plans_unpriced");
  table.columns = common_columns();
  for (const std::size_t i : plans) table.rows.push_back(common_cells(board.answer, i));
  table.footnotes = {Text("board.unpriced_note")};
  return table;
}

/// The smallest numbers of systems that meet a target are often equally fast: then power tells plans apart.
bool alike_in_speed(const SizeAnswer& answer, const std::vector<std::size_t>& plans) {
  constexpr double kAlike = 1.1;
  double low = std::numeric_limits<double>::infinity(), high = 0;
  for (const std::size_t i : plans) {
    if (!answer.plans[i].power_typical) continue;
    const double speed = answer.plans[i].tok_s_per_user.value_or(1);
    low = std::min(low, speed);
    high = std::max(high, speed);
  }
  return high > 0 && high <= kAlike * low;
}

/// Cost against speed, or against power where speeds are alike; the frontier is drawn apart.
XyChart frontier_chart(const BoardCase& board, const std::vector<std::size_t>& plans) {
  const SizeAnswer& answer = board.answer;
  double largest = 0;
  for (const std::size_t i : plans) largest = std::max(largest, answer.plans[i].cost.total.amount());
  const MoneyScale scale(largest, board.scenario().money.currency);
  const bool power = alike_in_speed(answer, plans);
  XyChart chart;
  chart.title = Text(power ? "board.frontier_chart_power" : "board.frontier_chart");
  chart.x = {scale.labelled(Text("size.total")), true};
  chart.y = {Text("board.with_unit", {{"label", Text(power ? "size.power" : "board.speed_user")},
                                      {"unit", power ? "kW" : "tok/s"}}),
             false};
  ChartSeries front{Text("board.on_frontier"), ChartSeries::Mark::dots, {}};
  ChartSeries rest{Text("board.off_frontier"), ChartSeries::Mark::rings, {}};
  for (const std::size_t i : plans) {
    const SizePlan& plan = answer.plans[i];
    const bool known = power ? plan.power_typical.has_value() : plan.tok_s_per_user.has_value();
    if (!known || plan.cost.total.amount() <= 0) continue;
    const double y = power ? *plan.power_typical / unit::kW : *plan.tok_s_per_user;
    (on_frontier(answer, i) ? front : rest)
        .points.push_back(
            {scale.scaled(plan.cost.total.amount()), y, fmt::format("{} {}", i + 1, plan.system)});
  }
  if (!front.points.empty()) chart.series.push_back(std::move(front));
  if (!rest.points.empty()) chart.series.push_back(std::move(rest));
  return chart;
}

Table rejected_table(const SizeAnswer& answer) {
  Table table;
  table.columns = {Column(Text("size.system")), Column(Text("size.why"))};
  for (const RejectedSystem& one : answer.rejected)
    table.rows.push_back({Cell(one.system), Cell(one.reason)});
  return table;
}

}  // namespace

PageBlocks plans_section(const BoardCase& board) {
  PageBlocks out;
  const std::vector<std::size_t> priced = feasible(board.answer, true);
  const std::vector<std::size_t> unpriced = feasible(board.answer, false);
  if (board.purchase != nullptr) {
    out.emplace_back(Heading{Text("board.plans"), true});
    out.emplace_back(Paragraph{Text("board.plans_intro")});
    if (!priced.empty()) {
      out.emplace_back(priced_table(board, priced));
      if (priced.size() > 1) out.emplace_back(Chart(frontier_chart(board, priced)));
    }
    if (Table additions = additions_table(board.answer, board.scenario()); !additions.rows.empty())
      out.emplace_back(std::move(additions));
    if (!unpriced.empty()) out.emplace_back(unpriced_table(board, unpriced));
  }
  out.emplace_back(Heading{Text("board.rejected"), board.purchase == nullptr});
  if (board.answer.rejected.empty()) {
    out.emplace_back(Paragraph{Text("board.none_rejected")});
  } else {
    out.emplace_back(rejected_table(board.answer));
  }
  return out;
}

}  // namespace roofplan::model::report
