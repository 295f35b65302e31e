#include "model/llm/parameters.hpp"
#include "model/report/board/money_text.hpp"
#include "model/report/board/sections.hpp"
#include "model/report/numbers.hpp"
#include "model/report/size_decision.hpp"

#include <fmt/format.h>

#include <cmath>

namespace roofplan::model::report {
namespace {

Text times_text(std::int64_t count, const System& system) {
  return Text("board.times", {{"count", count}, {"system", system.name}});
}

/// Today's systems, and those in the end of a growing load.
Text what_text(const SizePlan& plan, const System& system) {
  const Text now = times_text(plan.count, system);
  if (plan.count_end() == plan.count) return now;
  return Text("size.growing_name", {{"now", now}, {"end", plan.count_end()}});
}

/// A rate whose time has that range.
std::string span_text(double value, const ErrorRange& time) {
  return fmt::format("{} ~ {}", number_text(value / time.high), number_text(value / time.low));
}

Text open_requests(const BoardCase& board) {
  const Load& load = board.scenario().load;
  if (load.by_rate()) return Text("board.rate", {{"rate", number_text(*load.rps / (1.0 / unit::s))}});
  if (!load.users || load.concurrency) return Text("board.open", {{"count", load.open_requests()}});
  return Text("board.users", {{"users", grouped(*load.users)},
                              {"share", fmt::format("{:.3g} %", 100 * load.active_share)},
                              {"open", Text("board.open", {{"count", load.open_requests()}})}});
}

/// What the buyer reads first and may read alone.
void add_answer(const BoardCase& board, PageBlocks& out) {
  if (board.purchase == nullptr) {
    out.emplace_back(Paragraph{decision_text(board.answer, board.scenario()), Tone::strong});
    if (!board.answer.rented) out.emplace_back(Paragraph{Text("board.none_meets_next")});
    return;
  }
  const PurchaseCase& c = *board.purchase;
  const SizePlan& plan = c.plan;
  const Text buy = what_text(plan, *c.system);
  if (rent_is_cheaper(board.answer)) {
    out.emplace_back(Paragraph{Text("board.answer_rent", {{"rent", rent_text(*c.rented)},
                                                          {"total", money_text(c.rented->cost.total)},
                                                          {"years", years_text(board.scenario().money.years)},
                                                          {"what", buy},
                                                          {"own", money_text(plan.cost.total, plan.cost)}}),
                               Tone::strong});
    out.emplace_back(Paragraph{other_way_text(board.answer, board.scenario())});
  } else {
    out.emplace_back(
        Paragraph{Text("board.answer", {{"what", buy}, {"gpus", Text("board.gpus", {{"count", plan.gpus}})}}),
                  Tone::strong});
  }
  const Text serves = open_requests(board);
  const Text speed =
      plan.tok_s_per_user
          ? Text("board.serves", {{"load", serves}, {"speed", number_text(*plan.tok_s_per_user)}})
          : Text("board.serves_one", {{"load", serves}, {"ttft", to_text(plan.ttft)}});
  out.emplace_back(Paragraph{speed});
}

KeyFigures key_figures(const BoardCase& board) {
  const PurchaseCase& c = *board.purchase;
  const SizePlan& plan = c.plan;
  const auto& rates = board.data.catalog().exchange_rates();
  const auto other = [&](const Money& money) { return in_other_currency(money, rates).value_or(Text()); };
  const SpeedRanges& r = plan.ranges;
  KeyFigures out;
  const Text none("board.no_price_known");
  const Text years = years_text(board.scenario().money.years);
  out.items.push_back({Text("board.capital"), plan.priced ? money_text(plan.cost.capital, plan.cost) : none,
                       plan.priced ? other(plan.cost.capital) : Text()});
  out.items.push_back({Text("board.total", {{"years", years}}),
                       plan.priced ? money_text(plan.cost.total, plan.cost) : none,
                       plan.priced ? other(plan.cost.total) : Text()});
  if (plan.priced && plan.cost.per_mtok)
    out.items.push_back({Text("cost.per_mtok"),
                         price_text(plan.cost.per_mtok->amount(), plan.cost.per_mtok->currency().code()),
                         Text("board.at_planned_load")});
  if (plan.tok_s_per_user)
    out.items.push_back({Text("board.speed_user"), as_is(number_text(*plan.tok_s_per_user) + " tok/s"),
                         Text("board.range", {{"range", span_text(*plan.tok_s_per_user, r.token)}})});
  out.items.push_back(
      {Text("speed.ttft"), as_is(to_text(plan.ttft)),
       Text("board.range", {{"range", fmt::format("{} ~ {}", to_text(plan.ttft * r.first_token.low),
                                                  to_text(plan.ttft * r.first_token.high))}})});
  if (c.site)
    out.items.push_back({Text("board.facility_power"), as_is(to_text(c.site->facility)),
                         Text("board.pue_value", {{"pue", fmt::format("{:g}", c.site->pue)}})});
  return out;
}

/// Answer and consequence of each of the four.
struct Decision {
  Text question, answer, follows;
};

Decision largest_model(const BoardCase& board) {
  const std::int64_t params = count_parameters(board.model.architecture).total;
  const Scenario& scenario = board.scenario();
  const std::string name =
      board.model.architecture.id.empty() ? scenario.model.ref : board.model.architecture.id;
  Decision out{Text("board.q_model"),
               Text("board.a_model", {{"model", name}, {"params", params_text(params)}}), Text()};
  if (board.purchase == nullptr) return out;
  const FitAnswer& fit = board.purchase->fit;
  out.answer = Text("board.a_model_weights", {{"model", name},
                                              {"params", params_text(params)},
                                              {"format", fit.weights_format},
                                              {"bytes", to_text(fit.weights.text)}});
  if (fit.max_params_at_format > 0)
    out.follows = Text("board.f_model", {{"params", params_text(fit.max_params_at_format)}});
  return out;
}

Decision simultaneous_users(const BoardCase& board) {
  Decision out{Text("board.q_users"), open_requests(board), Text()};
  if (board.answer.lasts_concurrency)
    out.follows = Text("board.f_users", {{"count", std::llround(*board.answer.lasts_concurrency)}});
  return out;
}

Decision when_to_add(const BoardCase& board) {
  const double growth = board.scenario().load.growth_per_month;
  Decision out{Text("board.q_add"), Text("board.a_add_unknown"), Text()};
  const std::vector<SizeStage>* stages = board.purchase == nullptr ? nullptr : &board.purchase->plan.stages;
  const std::string rise = fmt::format("{:.3g} %", 100 * growth);
  if (stages != nullptr && stages->size() > 1) {
    const bool once = stages->size() == 2;
    out.answer =
        once ? Text("board.a_add_once",
                    {{"month", stages->back().month}, {"end", stages->back().count}, {"growth", rise}})
             : Text("board.a_add_stages", {{"month", (*stages)[1].month},
                                           {"last", stages->back().month},
                                           {"end", stages->back().count},
                                           {"growth", rise}});
  } else if (stages != nullptr && !stages->empty()) {
    out.answer =
        Text("board.a_add_never", {{"growth", rise}, {"years", years_text(board.scenario().money.years)}});
  } else if (board.answer.lasts_months) {
    out.answer =
        Text("board.a_add_months", {{"count", std::llround(*board.answer.lasts_months)}, {"growth", rise}});
  } else if (board.answer.lasts_concurrency) {
    out.answer = Text("board.a_add_load", {{"count", std::llround(*board.answer.lasts_concurrency)}});
  }
  if (board.purchase == nullptr) return out;
  const PurchaseCase& c = *board.purchase;
  const bool grows = stages->size() > 1;
  const std::int64_t added = grows ? (*stages)[1].count - stages->front().count : c.plan.linked;
  const Text next = times_text(added, *c.system);
  if (c.plan.priced && !c.plan.cost.items.empty()) {
    const Money each = c.plan.cost.capital / static_cast<double>(c.plan.count) * static_cast<double>(added);
    out.follows = Text("board.f_add_price", {{"what", next}, {"price", money_text(each)}});
  } else {
    out.follows = Text("board.f_add", {{"what", next}});
  }
  return out;
}

Decision data_leaves(const BoardCase& board) {
  const bool stays = board.scenario().limits.data_stays;
  Decision out{Text("board.q_data"), Text(stays ? "board.a_data_stays" : "board.a_data_leaves"),
               Text(stays ? "board.f_data_stays" : "")};
  if (board.purchase == nullptr || stays) return out;
  if (!board.purchase->rented) {
    out.follows = board.answer.rent_over_budget ? no_rent(board.answer, board.scenario())
                                                : Text("board.f_data_no_offer");
    return out;
  }
  const RentedPlan& rent = *board.purchase->rented;
  const Text years = years_text(board.scenario().money.years);
  const CostItem& item = rent.cost.items.front();
  const Text total("board.rent_total", {{"total", money_text(rent.cost.total)},
                                        {"gpus", Text("board.gpus", {{"count", rent.gpus}})},
                                        {"offer", priced_name(item.price, item.item)}});
  if (const auto months = board.purchase->break_even_months) {
    out.follows = Text("board.f_data_pays",
                       {{"total", total}, {"years", years}, {"months", fmt::format("{:.1f}", *months)}});
  } else {
    out.follows = Text("board.f_data_rent", {{"total", total}, {"years", years}});
  }
  return out;
}

Table decisions(const BoardCase& board) {
  Table table;
  table.title = Text("board.decisions");
  table.columns = {Column(Text("board.decision")), Column(Text("board.decided")),
                   Column(Text("board.follows"))};
  for (const Decision& d :
       {largest_model(board), simultaneous_users(board), when_to_add(board), data_leaves(board)})
    table.rows.push_back({Cell(d.question, Tone::strong), Cell(d.answer), Cell(d.follows)});
  return table;
}

/// Another system at the next higher total.
const SizePlan* runner_up(const BoardCase& board) {
  for (const SizePlan& plan : board.answer.plans)
    if (plan.feasible && plan.priced && plan.system != board.purchase->plan.system) return &plan;
  return nullptr;
}

Text site_text(const SizePlan& plan, const SiteAnswer& site, const System& system) {
  const Watts compute = site.compute_design.value_or(site.it.compute);
  const std::string power = to_text((compute + site.beside_compute()) * site.pue);
  if (plan.racks) return Text("board.brief_racks", {{"count", *plan.racks}, {"power", power}});
  const bool desks = system.system_class == System::Class::desktop;
  return Text(desks ? "board.brief_desks" : "board.brief_racks_unknown", {{"power", power}});
}

/// What the range of speeds does to the number of systems.
Text speed_text(const CostSwing& swing) {
  if (swing.count_high == 0) return Text("board.brief_speed_never");
  if (swing.count_high == swing.count_low)
    return Text("board.brief_speed_same", {{"count", swing.count_low}});
  return Text("board.brief_speed_value",
              {{"low", grouped(swing.count_low)}, {"high", grouped(swing.count_high)}});
}

/// Why this plan, what it hangs on and what it needs, a line each.
Table in_brief(const BoardCase& board) {
  const PurchaseCase& c = *board.purchase;
  Table table;
  table.title = Text("board.brief");
  table.show_header = false;
  table.columns = {Column(), Column()};
  const auto add = [&](const char* what, Text text) {
    table.rows.push_back({Cell(Text(what), Tone::strong), Cell(std::move(text))});
  };
  if (const SizePlan* next = runner_up(board); next != nullptr && c.plan.priced)
    add("board.brief_next",
        Text("board.brief_next_value",
             {{"plan", Text("size.plan_name", {{"count", next->count}, {"system", next->system}})},
              {"total", money_text(next->cost.total, next->cost)},
              {"more", fmt::format("{:.0f} %", 100 * (next->cost.total / c.plan.cost.total - 1))}}));
  for (const SizeVariation& v : board.answer.sensitivity)
    if (v.what == "price_factor") add("board.brief_holds", v.text);
  for (const CostSwing& swing : c.swings)
    if (swing.what == CostSwing::What::speed && swing.count_low > 0)
      add("board.brief_speed", speed_text(swing));
  if (c.site) add("board.brief_site", site_text(c.plan, *c.site, *c.system));
  return table;
}

/// How far the numbers can be trusted, in two sentences.
void add_confidence(const BoardCase& board, PageBlocks& out) {
  const PurchaseCase& c = *board.purchase;
  const ErrorRange& token = c.plan.ranges.token;
  const std::string spread = reach_text(token.low, token.high);
  const char* key = "board.sure_datasheet";
  if (c.speed.basis == EngineSpeed::Basis::catalogue) key = "board.sure_catalogue";
  if (c.speed.basis == EngineSpeed::Basis::family) key = "board.sure_family";
  out.emplace_back(Paragraph{Text(key, {{"spread", spread}}), Tone::faint});
  if (!c.plan.cost.unpriced.empty() && c.plan.priced)
    out.emplace_back(Paragraph{Text("board.lower_bound"), Tone::caution});
}

}  // namespace

PageBlocks first_page(const BoardCase& board) {
  PageBlocks out;
  add_answer(board, out);
  if (board.purchase != nullptr) out.emplace_back(key_figures(board));
  out.emplace_back(decisions(board));
  if (board.purchase != nullptr) {
    if (Table brief = in_brief(board); !brief.rows.empty()) out.emplace_back(std::move(brief));
    add_confidence(board, out);
  }
  return out;
}

}  // namespace roofplan::model::report
