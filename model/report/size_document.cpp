#include "model/report/size_document.hpp"

#include "model/report/board/money_text.hpp"
#include "model/report/numbers.hpp"
#include "model/report/parallel_text.hpp"
#include "model/report/size_decision.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace roofplan::model::report {
namespace {

using Align = Column::Align;

Value watts_or(const std::optional<Watts>& power, const char* reason) {
  return power ? Value(*power / unit::W) : Value::unknown(Text(reason));
}

void add_cost(Value& out, const SizePlan& plan) {
  const Value none = Value::unknown(Text("size.no_price"));
  const bool grows = plan.priced && plan.cost.later.amount() > 0;
  const Value per_token =
      plan.cost.per_mtok ? Value(plan.cost.per_mtok->amount()) : Value::unknown(Text("size.no_output"));
  out.add("cost_capital", plan.priced ? Value(plan.cost.capital.amount()) : none)
      .add("cost_additions", plan.priced ? Value(grows ? plan.cost.later.amount() : 0.0) : none)
      .add("cost_total", plan.priced ? Value(plan.cost.total.amount()) : none)
      .add("cost_per_mtok", plan.priced ? per_token : none)
      .add("cost_is_lower_bound", !plan.cost.unpriced.empty())
      .add("unpriced", Value::list_of(plan.cost.unpriced));
}

Value pools_value(const SizePlan& plan) {
  if (!plan.pools) return Value::unknown(Text("size.one_pool"));
  return Value::object()
      .add("prefill_workers", plan.pools->prefill.workers)
      .add("decode_workers", plan.pools->decode.workers);
}

Value pareto_value(const SizeAnswer& answer) {
  Value out = Value::list();
  for (const std::size_t i : answer.pareto) {
    const SizePlan& plan = answer.plans[i];
    out.push(Value::object()
                 .add("plan", i)
                 .add("system", plan.system)
                 .add("count", plan.count)
                 .add("weights", plan.weights)
                 .add("engine", plan.engine)
                 .add("cost_total",
                      plan.priced ? Value(plan.cost.total.amount()) : Value::unknown(Text("size.no_price")))
                 .add("power_typical_w", watts_or(plan.power_typical, "size.no_power"))
                 .add("tok_s_per_user", Value::known_or(plan.tok_s_per_user, Text("size.one_token"))));
  }
  return out;
}

Value sensitivity_value(const SizeAnswer& answer) {
  Value out = Value::list();
  for (const SizeVariation& v : answer.sensitivity) {
    const Text none("size.none_meets");
    out.push(Value::object()
                 .add("what", v.what)
                 .add("factor", v.factor)
                 .add("system", v.system.empty() ? Value::unknown(none) : Value(v.system))
                 .add("count", v.system.empty() ? Value::unknown(none) : Value(v.count))
                 .add("cost_total", Value::known_or(v.cost_total, Text(v.system.empty() ? "size.none_meets"
                                                                                        : "size.no_price")))
                 .add("decision_changes", v.decision_changes)
                 .add("text", v.text));
  }
  return out;
}

/// Why it is not known how far the first plan carries.
Text why_no_end(const SizeAnswer& answer) {
  if (!answer.can_buy()) return Text("size.none_meets");
  return Text(answer.concurrency > 0 ? "size.no_growth" : "size.by_rate");
}

Value break_even_value(const SizeAnswer& answer, const Scenario& scenario) {
  if (answer.break_even_months) return *answer.break_even_months;
  if (!answer.can_buy()) return Value::unknown(Text("size.none_meets"));
  if (!answer.rented) return Value::unknown(other_way_text(answer, scenario));
  return Value::unknown(Text(answer.plans.front().priced ? "size.never_pays" : "size.no_price"));
}

Cell money_cell(const SizePlan& plan, const Money& money) {
  if (!plan.priced) return Cell("-", Tone::faint);
  const std::string amount = grouped(static_cast<std::int64_t>(money.amount() + 0.5));
  return Cell(plan.cost.unpriced.empty() ? amount : ">= " + amount);
}

Table plan_table(const SizeAnswer& answer, const Scenario& scenario) {
  Table table;
  table.title = Text("size.plans");
  table.columns = {Column(Text("size.plan")),
                   Column(Text("size.split")),
                   Column(Text("size.weights")),
                   Column(Text("size.per_user"), Align::right, "tok/s"),
                   Column(Text("size.first_token"), Align::right),
                   Column(Text("size.power"), Align::right),
                   Column(Text("size.racks"), Align::right),
                   Column(Text("size.capital"), Align::right, scenario.money.currency),
                   Column(Text("size.total"), Align::right, scenario.money.currency),
                   Column(Text("size.margin"), Align::right)};
  for (const SizePlan& plan : answer.plans) {
    if (!plan.feasible) continue;
    table.rows.push_back(
        {Cell(plan_name(plan)), Cell(split_text(plan)), Cell(plan.weights),
         plan.tok_s_per_user ? Cell(number_text(*plan.tok_s_per_user)) : Cell("-", Tone::faint),
         Cell(to_text(plan.ttft)),
         plan.power_typical ? Cell(to_text(*plan.power_typical)) : Cell("-", Tone::faint),
         plan.racks ? Cell(grouped(*plan.racks)) : Cell("-", Tone::faint),
         money_cell(plan, plan.cost.capital),
         plan.priced ? money_cell(plan, plan.cost.total) : Cell(Text("size.ranked_last"), Tone::caution),
         plan.margin ? Cell(percent_text(*plan.margin)) : Cell("-", Tone::faint)});
  }
  table.footnotes = {Text("size.note", {{"years", years_text(scenario.money.years)}})};
  if (std::any_of(answer.plans.begin(), answer.plans.end(),
                  [](const SizePlan& plan) { return plan.feasible && plan.pools; }))
    table.footnotes.emplace_back("size.pools");
  return table;
}

Table rejected_table(const SizeAnswer& answer) {
  Table table;
  table.title = Text("size.rejected");
  table.columns = {Column(Text("size.system")), Column(Text("size.why"))};
  for (const RejectedSystem& one : answer.rejected)
    table.rows.push_back({Cell(one.system), Cell(one.reason)});
  return table;
}

/// The latencies that the targets were held against, where they are not the means of the table.
void add_tail(Document& document, const SizePlan& best, const Scenario& scenario) {
  if (scenario.targets.statistic == "mean") return;
  const std::string speed = best.tok_s_held ? number_text(*best.tok_s_held) : "-";
  document.blocks.emplace_back(Paragraph{Text(
      "size.tail",
      {{"statistic", scenario.targets.statistic}, {"ttft", to_text(best.ttft_held)}, {"speed", speed}})});
}

void add_sentences(Document& document, const SizeAnswer& answer, const Scenario& scenario) {
  if (answer.can_buy()) add_tail(document, answer.plans.front(), scenario);
  if (answer.can_buy() && answer.plans.front().spares > 0) {
    const SizePlan& best = answer.plans.front();
    document.blocks.emplace_back(
        Paragraph{Text("size.spares", {{"count", best.count},
                                       {"spares", best.spares},
                                       {"available", fmt::format("{:.6g}", 100 * best.availability)}})});
  }
  for (const SizeVariation& v : answer.sensitivity) document.blocks.emplace_back(Paragraph{v.text});
  if (answer.lasts_concurrency)
    document.blocks.emplace_back(Paragraph{
        Text("size.lasts",
             {{"requests", Text("board.open", {{"count", std::llround(*answer.lasts_concurrency)}})}})});
  if (answer.lasts_months)
    document.blocks.emplace_back(
        Paragraph{Text("size.lasts_months", {{"months", fmt::format("{:.0f}", *answer.lasts_months)}})});
}

}  // namespace

std::string split_text(const SizePlan& plan) {
  if (!plan.pools) return plan_text(plan.parallel);
  return fmt::format("{}: {} + {}", plan_text(plan.parallel), plan.pools->prefill.workers,
                     plan.pools->decode.workers);
}

const char* decision_word(const SizeAnswer& answer) {
  if (!answer.can_buy()) return answer.rented ? "rent" : "none";
  return rent_is_cheaper(answer) ? "rent" : "buy";
}

Value size_plan_value(const SizePlan& plan, const Scenario& scenario) {
  Value out = Value::object();
  out.add("feasible", plan.feasible)
      .add("system", plan.system)
      .add("count", plan.count)
      .add("gpus", plan.gpus)
      .add("count_end", plan.count_end())
      .add("gpus_end", plan.count_end() * (plan.gpus / plan.count))
      .add("additions", additions_value(plan, scenario.load, plan.gpus / plan.count))
      .add("linked", plan.linked)
      .add("groups", plan.groups)
      .add("spares", plan.spares)
      .add_range("availability", plan.availability, plan.availability_low, plan.availability_high)
      .add("requests_each", plan.requests_each)
      .add("parallel", parallel_value(plan.parallel))
      .add("pools", pools_value(plan))
      .add("engine", plan.engine)
      .add("weights", plan.weights);
  const SpeedRanges& r = plan.ranges;
  if (plan.tok_s_per_user) {
    const double speed = *plan.tok_s_per_user;
    out.add_range("tok_s_per_user", speed, speed / r.token.high, speed / r.token.low);
  } else {
    out.add("tok_s_per_user", Value::unknown(Text("size.one_token")));
  }
  const double ttft = plan.ttft / unit::s, total = plan.output / unit::tok_s;
  out.add_range("ttft_s", ttft, ttft * r.first_token.low, ttft * r.first_token.high);
  const Text means("size.means");
  const bool tail = scenario.targets.statistic != "mean";
  out.add("tok_s_per_user_at_statistic",
          tail ? Value::known_or(plan.tok_s_held, Text("size.one_token")) : Value::unknown(means))
      .add("ttft_at_statistic_s", tail ? Value(plan.ttft_held / unit::s) : Value::unknown(means));
  out.add_range("tok_s_total", total, total / r.request.high, total / r.request.low);
  out.add("power_typical_w", watts_or(plan.power_typical, "size.no_power"))
      .add("power_design_w", watts_or(plan.power_design, "size.no_power"))
      .add("power_w", watts_or(plan.power, "size.no_power"))
      .add("racks", plan.racks ? Value(*plan.racks) : Value::unknown(Text("size.no_racks")))
      .add("floor_m2", plan.floor_m2 ? Value(*plan.floor_m2) : Value::unknown(Text("size.no_racks")))
      .add("rack_units", plan.rack_units ? Value(*plan.rack_units) : Value::unknown(Text("size.no_racks")));
  out.add("power_design_end_w", watts_or(plan.power_design_end, "size.no_power"))
      .add("racks_end", Value::known_or(plan.racks_end, Text("size.no_racks")));
  add_cost(out, plan);
  out.add("joule_per_token",
          plan.joule_per_token ? Value(*plan.joule_per_token) : Value::unknown(Text("size.no_power")))
      .add("margin", plan.margin ? Value(*plan.margin) : Value::unknown(Text("size.no_margin")))
      .add("misses", Value::list_of(plan.misses));
  return out;
}

void describe_size(Document& document, const SizeAnswer& answer, const Scenario& scenario) {
  Value plans = Value::list(), rejected = Value::list();
  for (const SizePlan& plan : answer.plans) plans.push(size_plan_value(plan, scenario));
  for (const RejectedSystem& one : answer.rejected)
    rejected.push(Value::object().add("system", one.system).add("reason", one.reason));
  document.result.add("currency", scenario.money.currency)
      .add("years", scenario.money.years)
      .add("statistic", scenario.targets.statistic)
      .add("concurrency",
           answer.concurrency > 0 ? Value(answer.concurrency) : Value::unknown(Text("size.by_rate")))
      .add("plans", std::move(plans))
      .add("rejected", std::move(rejected))
      .add("pareto", pareto_value(answer))
      .add("sensitivity", sensitivity_value(answer))
      .add("decision", decision_word(answer))
      .add("rented", rented_value(answer, scenario))
      .add("break_even_months", break_even_value(answer, scenario))
      .add("lasts_concurrency", Value::known_or(answer.lasts_concurrency, why_no_end(answer)))
      .add("lasts_months", Value::known_or(answer.lasts_months, why_no_end(answer)))
      .add("evaluations", answer.evaluations);
  document.main_list = "plans";
  document.blocks.emplace_back(Paragraph{decision_text(answer, scenario), Tone::strong});
  if (answer.can_buy()) {
    document.blocks.emplace_back(Paragraph{other_way_text(answer, scenario)});
  } else if (answer.rent_over_budget) {
    document.blocks.emplace_back(Paragraph{no_rent(answer, scenario)});
  }
  document.blocks.emplace_back(plan_table(answer, scenario));
  if (Table additions = additions_table(answer, scenario); !additions.rows.empty())
    document.blocks.emplace_back(std::move(additions));
  add_sentences(document, answer, scenario);
  if (!answer.rejected.empty()) document.blocks.emplace_back(rejected_table(answer));
  document.warnings.insert(document.warnings.end(), answer.warnings.begin(), answer.warnings.end());
}

}  // namespace roofplan::model::report
