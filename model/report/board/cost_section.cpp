#include "model/report/board/money_text.hpp"
#include "model/report/board/sections.hpp"
#include "model/report/numbers.hpp"
#include "model/report/size_decision.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace roofplan::model::report {
namespace {

using Align = Column::Align;
using Mark = ChartSeries::Mark;

/// What has been paid after each year, resale taken off the last; the first entry is the day of the purchase.
std::vector<double> cumulative(const CostOption& option) {
  std::vector<double> out{option.capital.amount()};
  for (const Money& paid : option.yearly) out.push_back(out.back() + paid.amount());
  out.back() -= option.resale.amount();
  return out;
}

/// Ways to pay that are laid side by side.
struct Option {
  Text name;
  const CostOption* cost;
};

Text owned_name(const SizePlan& plan) {
  return Text("board.own", {{"plan", plan_name(plan)}});
}

Text rent_name(const RentedPlan& rented) {
  return Text("board.rent", {{"rent", rent_text(rented)}});
}

/// The plan, the next other system, and the cheapest rent.
std::vector<Option> options_of(const BoardCase& board) {
  const PurchaseCase& c = *board.purchase;
  std::vector<Option> out{{owned_name(c.plan), &c.plan.cost}};
  for (const SizePlan& plan : board.answer.plans) {
    if (!plan.feasible || !plan.priced || plan.system == c.plan.system) continue;
    out.push_back({owned_name(plan), &plan.cost});
    break;
  }
  if (c.rented) out.push_back({rent_name(*c.rented), &c.rented->cost});
  return out;
}

/// End of each year; the last may be part of one.
double year_end(const BoardCase& board, std::size_t year) {
  return std::min(static_cast<double>(year), board.scenario().money.years);
}

XyChart cumulative_chart(const BoardCase& board, const std::vector<Option>& options,
                         const MoneyScale& scale) {
  XyChart chart;
  chart.title = Text("board.cumulative_chart");
  chart.x = {Text("board.years_after"), false};
  chart.y = {scale.labelled(Text("board.cumulative")), false};
  constexpr Mark kMarks[] = {Mark::line, Mark::dotted, Mark::dashed};
  for (std::size_t i = 0; i < options.size(); ++i) {
    ChartSeries series{options[i].name, options[i].cost->rented ? Mark::dashed : kMarks[i], {}};
    const std::vector<double> paid = cumulative(*options[i].cost);
    for (std::size_t year = 0; year < paid.size(); ++year)
      series.points.push_back({year_end(board, year), scale.scaled(paid[year]), ""});
    chart.series.push_back(std::move(series));
  }
  const auto months = board.purchase->break_even_months;
  if (months && *months / 12 <= board.scenario().money.years)
    chart.events.push_back(
        {*months / 12, Text("board.break_even", {{"months", fmt::format("{:.1f}", *months)}})});
  return chart;
}

Table cumulative_table(const BoardCase& board, const std::vector<Option>& options, const MoneyScale& scale) {
  Table table;
  table.columns = {Column(Text("board.years_after"))};
  std::vector<std::vector<double>> paid;
  for (const Option& option : options) {
    table.columns.emplace_back(scale.labelled(option.name), Align::right);
    paid.push_back(cumulative(*option.cost));
  }
  for (std::size_t year = 0; year < paid.front().size(); ++year) {
    table.rows.push_back({Cell(number_text(year_end(board, year)))});
    for (const std::vector<double>& one : paid)
      table.rows.back().emplace_back(year < one.size() ? scale.number(one[year]) : "-");
  }
  return table;
}

/// Years of a growing load differ, so only their sums are told.
Table parts_table(const BoardCase& board, const MoneyScale& scale) {
  const CostOption& cost = board.purchase->plan.cost;
  const bool alike = cost.months.empty();
  const Text years("board.all_years", {{"years", years_text(board.scenario().money.years)}});
  Table table;
  table.title = Text("board.cost_parts");
  table.columns = {Column(Text("site.part"))};
  if (alike) table.columns.emplace_back(scale.labelled(Text("board.a_year")), Align::right);
  table.columns.emplace_back(scale.labelled(years), Align::right);
  const auto add = [&](const char* name, const std::optional<Money>& yearly, double total,
                       Tone tone = Tone::plain) {
    std::vector<Cell>& row = table.rows.emplace_back();
    row.emplace_back(Text(name), tone);
    if (alike) row.push_back(yearly ? Cell(scale.number(yearly->amount()), tone) : Cell("-", Tone::faint));
    row.emplace_back(scale.number(total), tone);
  };
  add("board.capital", std::nullopt, cost.capital.amount());
  if (cost.later.amount() > 0) add("board.additions", std::nullopt, cost.later.amount());
  add("board.electricity", cost.year.energy, cost.whole.energy.amount());
  add("board.support", cost.year.support, cost.whole.support.amount());
  if (cost.year.space.amount() > 0) add("board.part_room", cost.year.space, cost.whole.space.amount());
  if (cost.year.staff.amount() > 0) add("board.part_people", cost.year.staff, cost.whole.staff.amount());
  if (cost.resale.amount() > 0) add("board.resale", std::nullopt, -cost.resale.amount());
  add("cost.total", cost.paid_per_year, cost.total.amount(), Tone::strong);
  add("cost.present", std::nullopt, cost.present_value.amount());
  table.footnotes = {Text("board.present_note",
                          {{"discount", fmt::format("{:.3g} %", 100 * board.scenario().money.discount)}})};
  return table;
}

Text verdict(const BoardCase& board) {
  const PurchaseCase& c = *board.purchase;
  const double years = board.scenario().money.years;
  if (!c.rented && board.answer.rent_over_budget) return no_rent(board.answer, board.scenario());
  if (!c.rented)
    return Text(board.scenario().limits.data_stays ? "board.f_data_stays" : "board.f_data_no_offer");
  if (!c.break_even_months) return Text("board.never_pays");
  const bool in_time = *c.break_even_months <= 12 * years;
  return Text(in_time ? "board.pays" : "board.pays_late",
              {{"months", fmt::format("{:.1f}", *c.break_even_months)}, {"years", years_text(years)}});
}

}  // namespace

PageBlocks cost_section(const BoardCase& board) {
  const PurchaseCase& c = *board.purchase;
  PageBlocks out;
  out.emplace_back(Heading{Text("board.cost", {{"years", years_text(board.scenario().money.years)}}), false});
  if (!c.plan.priced) {
    out.emplace_back(Paragraph{Text("board.no_cost"), Tone::caution});
    return out;
  }
  const std::vector<Option> options = options_of(board);
  double largest = 0;
  for (const Option& option : options) largest = std::max(largest, option.cost->total.amount());
  const MoneyScale scale(largest, board.scenario().money.currency);
  out.emplace_back(Paragraph{verdict(board), Tone::strong});
  out.emplace_back(Chart(cumulative_chart(board, options, scale)));
  out.emplace_back(cumulative_table(board, options, scale));
  out.emplace_back(
      parts_table(board, MoneyScale(c.plan.cost.total.amount(), board.scenario().money.currency)));
  return out;
}

}  // namespace roofplan::model::report
