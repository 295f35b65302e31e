#include "model/calibration/calibration_set.hpp"
#include "model/llm/parameters.hpp"
#include "model/report/board/money_text.hpp"
#include "model/report/board/sections.hpp"
#include "model/report/numbers.hpp"
#include "model/report/site_document.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace roofplan::model::report {
namespace {

/// Rows of what the numbers rest on. Each is what the scenario says, or has a source.
class Assumptions {
 public:
  explicit Assumptions(const BoardCase& board) : board_(board), catalog_(board.data.catalog()) {}

  Table table() {
    table_.columns = {Column(Text("board.assumption")), Column(Text("board.value")),
                      Column(Text("board.from"), Column::Align::right)};
    about_load();
    about_model();
    if (board_.purchase != nullptr) {
      about_speed();
      about_power();
      if (board_.purchase->plan.priced) about_money();
    }
    return std::move(table_);
  }

 private:
  template <class V>
  void asked(const char* name, const V& value, bool by_default) {
    table_.rows.push_back(
        {Cell(Text(name)), Cell(value), Cell(Text(by_default ? "board.by_default" : "board.as_asked"))});
  }
  template <class V>
  void sourced(const char* name, const V& value, const std::vector<std::string>& ids) {
    std::vector<std::string> known;
    for (const std::string& id : ids)
      if (catalog_.sources().contains(id) && std::find(known.begin(), known.end(), id) == known.end())
        known.push_back(id);
    table_.rows.push_back({Cell(Text(name)), Cell(value), Cell(Citation{std::move(known)})});
  }

  void about_load() {
    const Load& load = board_.scenario().load;
    const Load usual;
    asked("board.prompt", grouped(load.prompt_tokens), load.prompt_tokens == usual.prompt_tokens);
    asked("board.output", grouped(load.output_tokens), load.output_tokens == usual.output_tokens);
    if (load.prefix_hit > 0) asked("board.prefix_hit", percent_text(load.prefix_hit), false);
    asked("board.growth", percent_text(load.growth_per_month), load.growth_per_month == 0);
    const Targets& targets = board_.scenario().targets;
    if (targets.min_tok_s_per_user)
      asked("board.target_speed", number_text(*targets.min_tok_s_per_user / unit::tok_s) + " tok/s", false);
    if (targets.max_ttft) asked("board.target_ttft", to_text(*targets.max_ttft), false);
    if (board_.scenario().limits.power)
      asked("board.limit_power", to_text(*board_.scenario().limits.power), false);
  }

  void about_model() {
    const Architecture& model = board_.model.architecture;
    const Text params("board.params",
                      {{"params", params_text(count_parameters(model).total)}, {"layers", model.layers()}});
    const std::string& ref = board_.scenario().model.ref;
    if (catalog_.models().contains(ref)) {
      const ModelEntry entry = catalog_.models().entry(ref, catalog_.sources());
      sourced("board.model", params, entry.sources);
    } else {
      asked("board.model", params, false);
    }
    const ModelChoice usual;
    asked("board.formats",
          Text("board.formats_value",
               {{"weights", board_.scenario().model.weights}, {"kv", board_.scenario().model.kv}}),
          board_.scenario().model.weights == usual.weights);
  }

  void about_speed() {
    const PurchaseCase& c = *board_.purchase;
    const std::string version = c.planned.engine.version ? " " + *c.planned.engine.version : "";
    asked("board.engine", c.plan.engine + version, c.plan.engine == EngineChoice{}.ref);
    sourced("board.bandwidth", to_text(*c.system->chip.memory_bandwidth),
            {c.system->chip.memory_bandwidth.provenance.source});
    std::vector<std::string> ids = board_.data.ranges().sources();
    std::string name = c.system->chip.id;
    std::replace(name.begin(), name.end(), '-', '_');
    if (const Calibration* calibration = board_.data.calibrations().find(name))
      ids.insert(ids.end(), calibration->sources.begin(), calibration->sources.end());
    sourced("board.spread",
            Text("board.spread_value",
                 {{"spread", reach_text(c.plan.ranges.token.low, c.plan.ranges.token.high)}}),
            ids);
  }

  void figure(const char* name, const Figure<Watts>& power) {
    if (power.known()) sourced(name, to_text(*power), {power.provenance.source});
  }

  void about_power() {
    const PurchaseCase& c = *board_.purchase;
    figure("board.system_typical", c.system->power_typical);
    figure("board.system_design", c.system->power_design);
    figure("board.system_peak", c.system->power_peak);
    const PhasePower& phases = catalog_.phase_power();
    sourced("board.phases",
            Text("board.phases_value", {{"idle", percent_text(*phases.idle)},
                                        {"decode", percent_text(*phases.decode)},
                                        {"prefill", percent_text(*phases.prefill)}}),
            {phases.idle.provenance.source, phases.decode.provenance.source});
    if (!c.site) return;
    if (board_.scenario().site.pue) {
      asked("board.pue", fmt::format("{:g}", c.site->pue), false);
    } else {
      sourced("board.pue", fmt::format("{:g}", c.site->pue), {"planning-assumption"});
    }
    if (c.site->beside_compute() > Watts())
      sourced("board.beside",
              Text("board.beside_value",
                   {{"share", percent_text(c.site->beside_compute() / c.site->it.compute)}}),
              {"nvidia-dgx-b300-best-practices", "planning-assumption"});
    for (const CircuitPlan& plan : c.site->circuits)
      sourced("board.circuit", circuit_text(plan.circuit), {plan.circuit.source});
  }

  void about_money() {
    const PurchaseCase& c = *board_.purchase;
    const MoneySettings& money = board_.scenario().money;
    const MoneySettings usual;
    asked("board.years", number_text(money.years), money.years == usual.years);
    asked("board.discount", percent_text(money.discount), money.discount == usual.discount);
    if (!c.plan.cost.tariff.empty()) {
      const Tariff& tariff = catalog_.sites().tariff(c.plan.cost.tariff);
      sourced("board.tariff",
              Text("board.tariff_value",
                   {{"name", tariff.name},
                    {"price", price_text(mean_energy_price(tariff).amount(), tariff.currency.code())},
                    {"date", tariff.effective}}),
              {tariff.source});
    }
    if (money.support_share) {
      asked("board.support", percent_text(*money.support_share), false);
    } else {
      sourced("board.support", percent_text(kSupportShare), {"planning-assumption"});
    }
    for (const ExchangeRate& rate : catalog_.exchange_rates())
      sourced("board.rate_of_exchange",
              fmt::format("1 {} = {} {} ({})", rate.from.code(), number_text(rate.rate), rate.to.code(),
                          rate.date),
              {rate.source});
    if (c.rented) {
      const CostItem& item = c.rented->cost.items.front();
      sourced(
          "board.rent_price",
          Text("board.rent_value", {{"offer", priced_name(item.price, item.item)},
                                    {"price", price_text(item.each.amount(), item.each.currency().code())},
                                    {"date", item.date}}),
          {item.source});
    }
    asked("board.resale", percent_text(money.resale_share), money.resale_share == usual.resale_share);
  }

  const BoardCase& board_;
  const Catalog& catalog_;
  Table table_;
};

}  // namespace

PageBlocks assumptions_section(const BoardCase& board) {
  PageBlocks out;
  out.emplace_back(Heading{Text("board.assumptions"), false});
  out.emplace_back(Paragraph{Text("board.assumptions_intro")});
  out.emplace_back(Assumptions(board).table());
  return out;
}

}  // namespace roofplan::model::report
