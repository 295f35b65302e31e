#include "model/report/board/money_text.hpp"
#include "model/report/board/sections.hpp"
#include "model/report/numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace roofplan::model::report {
namespace {

constexpr double kThinMargin = 0.1;
constexpr double kSoonMonths = 12;
constexpr double kNearPrice = 1.2;

/// Each risk that this case has: what, why here, and what lessens it.
class Risks {
 public:
  explicit Risks(const BoardCase& board) : board_(board), case_(*board.purchase) {}

  Table table() {
    table_.columns = {Column(Text("board.risk")), Column(Text("board.risk_here")),
                      Column(Text("board.risk_do"))};
    about_speed();
    about_prices();
    about_failures();
    about_load();
    about_alternatives();
    return std::move(table_);
  }

 private:
  /// Rows of the texts board.risk_NAME, board.risk_NAME_here and board.risk_NAME_do.
  void add(const std::string& name, std::vector<Text::Argument> here = {}) {
    const std::string key = "board.risk_" + name;
    table_.rows.push_back(
        {Cell(Text(key), Tone::strong), Cell(Text(key + "_here", std::move(here))), Cell(Text(key + "_do"))});
  }

  void about_speed() {
    const ErrorRange& token = case_.plan.ranges.token;
    const std::string spread = reach_text(token.low, token.high);
    switch (case_.speed.basis) {
      case EngineSpeed::Basis::catalogue:
        add("speed_catalogue", {{"spread", spread}});
        break;
      case EngineSpeed::Basis::machine:
      case EngineSpeed::Basis::family:
        add("speed_family", {{"spread", spread}});
        break;
      case EngineSpeed::Basis::datasheet:
        add("speed_datasheet", {{"spread", spread}});
        break;
    }
    const auto& margin = case_.plan.margin;
    if (margin && *margin < kThinMargin) add("margin", {{"margin", percent_text(*margin)}});
    const std::string& statistic = board_.scenario().targets.statistic;
    if (statistic != "mean") add("tail", {{"statistic", statistic}});
  }

  void about_prices() {
    const CostOption& cost = case_.plan.cost;
    if (!case_.plan.priced) {
      add("no_price");
      return;
    }
    if (!cost.unpriced.empty()) add("unpriced", {{"count", cost.unpriced.size()}});
    const bool estimated =
        std::any_of(cost.items.begin(), cost.items.end(), [](const CostItem& item) { return item.estimate; });
    if (estimated) add("estimate");
    const auto old = std::find_if(cost.warnings.begin(), cost.warnings.end(),
                                  [](const Text& t) { return t.key == "cost.old_price"; });
    if (old != cost.warnings.end()) add("old_price", {{"warning", *old}});
    const auto exchanged = std::find_if(cost.warnings.begin(), cost.warnings.end(),
                                        [](const Text& t) { return t.key == "cost.exchanged"; });
    if (exchanged != cost.warnings.end()) add("exchange", {{"warning", *exchanged}});
  }

  void about_failures() {
    if (case_.plan.spares > 0) {
      add("spare", {{"count", case_.plan.spares},
                    {"available", fmt::format("{:.4g}", 100 * case_.plan.availability)}});
    } else if (board_.scenario().targets.availability) {
      add("in_target", {{"available", fmt::format("{:.4g}", 100 * case_.plan.availability)}});
    } else if (case_.plan.groups == 1) {
      add("single");
    } else {
      add("groups", {{"share", percent_text(1.0 / static_cast<double>(case_.plan.groups))},
                     {"groups", grouped(case_.plan.groups)}});
    }
  }

  void about_load() {
    if (board_.answer.lasts_months && *board_.answer.lasts_months < kSoonMonths)
      add("full_soon", {{"count", std::llround(*board_.answer.lasts_months)}});
    if (board_.scenario().load.growth_per_month == 0) add("no_growth");
    if (!board_.scenario().targets.min_tok_s_per_user && !board_.scenario().targets.max_ttft)
      add("no_target");
  }

  void about_alternatives() {
    for (const SizeVariation& v : board_.answer.sensitivity)
      if (v.what == "price_factor" && v.factor < kNearPrice)
        add("near_price", {{"system", v.system}, {"rise", percent_text(v.factor - 1)}});
    const auto months = case_.break_even_months;
    if (case_.rented && case_.plan.priced && (!months || *months / 12 > board_.scenario().money.years))
      add("rent_cheaper", {{"years", years_text(board_.scenario().money.years)}});
  }

  const BoardCase& board_;
  const PurchaseCase& case_;
  Table table_;
};

}  // namespace

PageBlocks risks_section(const BoardCase& board) {
  PageBlocks out;
  out.emplace_back(Heading{Text("board.risks"), false});
  out.emplace_back(Risks(board).table());
  for (const Text& warning : board.answer.warnings) out.emplace_back(Paragraph{warning, Tone::caution});
  return out;
}

}  // namespace roofplan::model::report
