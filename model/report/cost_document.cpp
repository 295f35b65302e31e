#include "model/report/cost_document.hpp"

#include "model/report/board/money_text.hpp"
#include "model/report/figures.hpp"
#include "model/report/numbers.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace roofplan::model::report {
namespace {

using Align = Column::Align;

Value items_value(const CostOption& option) {
  Value list = Value::list();
  for (const CostItem& item : option.items) {
    list.push(Value::object()
                  .add("item", item.item)
                  .add("count", item.count)
                  .add("each", item.each.amount())
                  .add("price", item.price)
                  .add("date", item.date)
                  .add("source", item.source)
                  .add("estimate", item.estimate));
  }
  return list;
}

/// Adds amounts, or null and why where nothing is known of the systems' price.
void add_amounts(Value& out, const CostOption& option, const Text& why_no_tokens) {
  Value yearly = Value::list();
  for (const Money& paid : option.yearly) yearly.push(paid.amount());
  if (!option.priced) {
    const Value none = Value::unknown(Text("cost.no_price", {{"option", option.name}}));
    out.add("capital", none).add("yearly", yearly).add("total", none).add("present_value", none);
    out.add("cost_per_mtok", none);
    return;
  }
  out.add("capital", option.capital.amount())
      .add("yearly", yearly)
      .add("total", option.total.amount())
      .add("present_value", option.present_value.amount())
      .add("cost_per_mtok",
           option.per_mtok ? Value(option.per_mtok->amount()) : Value::unknown(why_no_tokens));
}

Value option_value(const CostOption& option, const Text& why_no_tokens) {
  Value year = Value::object();
  if (option.rented) {
    year.add("rent", option.paid_per_year.amount());
  } else {
    year.add("depreciation", option.year.depreciation.amount())
        .add("energy", option.year.energy.amount())
        .add("support", option.year.support.amount())
        .add("room", option.year.space.amount())
        .add("people", option.year.staff.amount());
  }
  Value out = Value::object();
  out.add("name", option.name).add("kind", option.rented ? "rented" : "owned");
  add_amounts(out, option, why_no_tokens);
  if (option.resale.amount() > 0) out.add("resale", option.resale.amount());
  out.add("year", year)
      .add("items", items_value(option))
      .add("lower_bound", !option.unpriced.empty())
      .add("unpriced", Value::list_of(option.unpriced));
  return out;
}

const CostOption* first(const std::vector<CostOption>& options, bool rented) {
  const auto found =
      std::find_if(options.begin(), options.end(), [&](const CostOption& o) { return o.rented == rented; });
  return found == options.end() ? nullptr : &*found;
}

std::string amount_text(const Money& money) {
  return fmt::format("{} {}", number_text(money.amount()), money.currency().code());
}

Table options_table(const std::vector<CostOption>& options, const MoneySettings& money) {
  Table table;
  table.title = Text("cost.title", {{"years", years_text(money.years)}});
  table.columns = {Column(Text("cost.option")),
                   Column(Text("cost.capital"), Align::right, money.currency),
                   Column(Text("cost.per_year"), Align::right, money.currency),
                   Column(Text("cost.total"), Align::right, money.currency),
                   Column(Text("cost.present"), Align::right, money.currency),
                   Column(Text("cost.per_mtok"), Align::right, money.currency)};
  for (const CostOption& o : options) {
    const auto sum = [&](const Money& amount, Tone tone = Tone::plain) {
      return o.priced ? Cell(number_text(amount.amount()), tone) : Cell("-", Tone::faint);
    };
    table.rows.push_back({Cell(o.name), sum(o.capital), Cell(number_text(o.paid_per_year.amount())),
                          sum(o.total, Tone::strong), sum(o.present_value),
                          o.per_mtok ? sum(*o.per_mtok) : Cell("-", Tone::faint)});
  }
  return table;
}

Table items_table(const std::vector<CostOption>& options) {
  Table table;
  table.title = Text("cost.items");
  table.columns = {Column(Text("cost.option")),
                   Column(Text("cost.item")),
                   Column(Text("cost.count"), Align::right),
                   Column(Text("cost.each"), Align::right),
                   Column(Text("cost.price")),
                   Column(Text("cost.date"))};
  for (const CostOption& o : options) {
    for (const CostItem& item : o.items) {
      table.rows.push_back({Cell(o.name),
                            Cell(o.rented ? priced_name(item.price, item.item) : unpriced_text(item.item)),
                            Cell(std::to_string(item.count)), Cell(amount_text(item.each)),
                            Cell(item.price, Tone::faint), Cell(item.date)});
    }
  }
  return table;
}

}  // namespace

Value cost_value(const std::vector<CostOption>& options, const MoneySettings& money,
                 const Text& why_no_tokens) {
  Value list = Value::list(), unpriced = Value::list();
  std::vector<std::string> named;
  for (const CostOption& option : options) {
    list.push(option_value(option, why_no_tokens));
    for (const std::string& part : option.unpriced) {
      if (std::find(named.begin(), named.end(), part) != named.end()) continue;
      named.push_back(part);
      unpriced.push(part);
    }
  }
  Value out = Value::object();
  out.add("currency", money.currency).add("years", money.years).add("options", list);
  const CostOption* owned = first(options, false);
  const CostOption* rented = first(options, true);
  if (owned != nullptr && !owned->priced) {
    out.add("break_even_months", Value::unknown(Text("cost.no_price", {{"option", owned->name}})));
  } else if (owned == nullptr || rented == nullptr) {
    out.add("break_even_months", Value::unknown(Text("cost.no_rent")));
  } else if (const auto months = break_even_months(*owned, *rented)) {
    out.add("break_even_months", *months);
  } else {
    out.add("break_even_months", Value::unknown(Text("cost.never")));
  }
  return out.add("unpriced", unpriced);
}

std::vector<Block> cost_blocks(const std::vector<CostOption>& options, const MoneySettings& money) {
  std::vector<Block> blocks{options_table(options, money), items_table(options)};
  for (const CostOption& option : options) {
    if (option.unpriced.empty()) continue;
    blocks.emplace_back(Paragraph{
        Text("cost.lower_bound",
             {{"option", option.name}, {"parts", fmt::format("{}", fmt::join(option.unpriced, ", "))}}),
        Tone::caution});
  }
  const CostOption* owned = first(options, false);
  const CostOption* rented = first(options, true);
  if (owned != nullptr && owned->priced && rented != nullptr) {
    const auto months = break_even_months(*owned, *rented);
    blocks.emplace_back(Paragraph{
        months ? Text("cost.break_even",
                      {{"owned", owned->name}, {"rented", rented->name}, {"months", number_text(*months)}})
               : Text("cost.never_pays", {{"owned", owned->name}, {"rented", rented->name}}),
        Tone::strong});
  }
  return blocks;
}

void cite_prices(Document& document, const Sources& sources, const std::vector<CostOption>& options) {
  for (const CostOption& option : options)
    for (const CostItem& item : option.items)
      if (sources.contains(item.source)) cite(document, sources, item.source);
}

std::vector<Text> cost_warnings(const std::vector<CostOption>& options) {
  std::vector<Text> out;
  for (const CostOption& option : options)
    for (const Text& warning : option.warnings)
      if (std::find(out.begin(), out.end(), warning) == out.end()) out.push_back(warning);
  return out;
}

}  // namespace roofplan::model::report
