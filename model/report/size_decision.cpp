#include "model/report/size_decision.hpp"

#include "model/report/board/money_text.hpp"
#include "model/report/numbers.hpp"

#include <fmt/format.h>

#include <cmath>

namespace roofplan::model::report {
namespace {

using Align = Column::Align;

Text gpus_text(std::int64_t count) {
  return Text("board.gpus", {{"count", count}});
}

Text now_text(const SizePlan& plan) {
  return Text("size.plan_name", {{"count", plan.count}, {"system", plan.system}});
}

Text what_text(const SizePlan& plan) {
  const Text now = now_text(plan);
  if (plan.count_end() == plan.count) return now;
  return Text("size.growing_name", {{"now", now}, {"end", plan.count_end()}});
}

Text pays_text(const SizeAnswer& answer) {
  if (!answer.break_even_months) return Text("size.never_pays");
  return Text("size.pays", {{"months", fmt::format("{:.1f}", *answer.break_even_months)}});
}

}  // namespace

Text no_rent(const SizeAnswer& answer, const Scenario& scenario) {
  if (answer.rent_over_budget)
    return Text("size.rent_over_budget", {{"rent", rent_text(*answer.rent_over_budget)},
                                          {"total", money_text(answer.rent_over_budget->cost.total)}});
  return Text(scenario.limits.data_stays ? "size.data_stays" : "size.no_offer");
}

Text rent_text(const RentedPlan& rented) {
  const CostItem& item = rented.cost.items.front();
  const Text offer = priced_name(item.price, item.item);
  if (rented.gpus_end == rented.gpus)
    return Text("size.rented", {{"gpus", gpus_text(rented.gpus)}, {"offer", offer}});
  return Text("size.rented_growing",
              {{"gpus", gpus_text(rented.gpus)}, {"end", grouped(rented.gpus_end)}, {"offer", offer}});
}

Text plan_name(const SizePlan& plan) {
  if (plan.count_end() == plan.count) return now_text(plan);
  return Text("size.growing_cell", {{"now", now_text(plan)}, {"end", plan.count_end()}});
}

bool rent_is_cheaper(const SizeAnswer& answer) {
  if (!answer.rented || !answer.can_buy()) return false;
  const SizePlan& best = answer.plans.front();
  return best.priced && answer.rented->cost.total < best.cost.total;
}

Text decision_text(const SizeAnswer& answer, const Scenario& scenario) {
  const Text years = years_text(scenario.money.years);
  if (!answer.can_buy() && answer.rented)
    return Text("size.verdict_rent_only", {{"rent", rent_text(*answer.rented)},
                                           {"total", money_text(answer.rented->cost.total)},
                                           {"years", years}});
  if (!answer.can_buy()) return Text("size.none_meets");
  const SizePlan& best = answer.plans.front();
  if (rent_is_cheaper(answer))
    return Text("size.verdict_rent", {{"rent", rent_text(*answer.rented)},
                                      {"total", money_text(answer.rented->cost.total)},
                                      {"years", years},
                                      {"what", what_text(best)},
                                      {"own", money_text(best.cost.total, best.cost)}});
  if (!best.priced) return Text("size.verdict", {{"what", what_text(best)}, {"gpus", gpus_text(best.gpus)}});
  return Text("size.verdict_priced", {{"what", what_text(best)},
                                      {"gpus", gpus_text(best.gpus)},
                                      {"own", money_text(best.cost.total, best.cost)},
                                      {"years", years}});
}

Text other_way_text(const SizeAnswer& answer, const Scenario& scenario) {
  if (!answer.rented) return no_rent(answer, scenario);
  if (rent_is_cheaper(answer)) return pays_text(answer);
  const bool priced = answer.plans.front().priced;
  return Text("size.rent_dearer", {{"rent", rent_text(*answer.rented)},
                                   {"total", money_text(answer.rented->cost.total)},
                                   {"pays", priced ? pays_text(answer) : Text("size.own_unpriced")}});
}

Table additions_table(const SizeAnswer& answer, const Scenario& scenario) {
  Table table;
  table.title = Text("size.additions");
  table.columns = {Column(Text("size.month"), Align::right), Column(Text("size.add")),
                   Column(Text("size.in_all"), Align::right),
                   Column(Text(scenario.load.by_rate() ? "size.rate_then" : "size.open_then"), Align::right)};
  if (answer.plans.empty()) return table;
  const SizePlan& plan = answer.plans.front();
  for (std::size_t i = 1; i < plan.stages.size(); ++i) {
    const SizeStage& stage = plan.stages[i];
    const std::int64_t added = stage.count - plan.stages[i - 1].count;
    table.rows.push_back({Cell(grouped(stage.month)),
                          Cell(Text("size.plan_name", {{"count", added}, {"system", plan.system}})),
                          Cell(grouped(stage.count)), Cell(number_text(stage.load))});
  }
  table.footnotes = {
      Text("size.additions_note", {{"growth", fmt::format("{:.3g} %", 100 * scenario.load.growth_per_month)},
                                   {"years", years_text(scenario.money.years)}})};
  return table;
}

Value additions_value(const SizePlan& plan, const Load& load, std::int64_t accelerators) {
  Value out = Value::list();
  for (std::size_t i = 1; i < plan.stages.size(); ++i) {
    const SizeStage& stage = plan.stages[i];
    Value one = Value::object();
    one.add("month", stage.month)
        .add("systems", stage.count - plan.stages[i - 1].count)
        .add("count", stage.count)
        .add("gpus", stage.count * accelerators);
    if (load.by_rate()) {
      one.add("rps", stage.load);
    } else {
      one.add("concurrency", std::llround(stage.load));
    }
    out.push(std::move(one));
  }
  return out;
}

Value rented_value(const SizeAnswer& answer, const Scenario& scenario) {
  if (!answer.rented) return Value::unknown(no_rent(answer, scenario));
  const RentedPlan& rented = *answer.rented;
  const CostItem& item = rented.cost.items.front();
  return Value::object()
      .add("system", rented.system)
      .add("offer", item.item)
      .add("date", item.date)
      .add("gpus", rented.gpus)
      .add("gpus_end", rented.gpus_end)
      .add("cost_per_hour", item.each.amount())
      .add("cost_total", rented.cost.total.amount());
}

}  // namespace roofplan::model::report
