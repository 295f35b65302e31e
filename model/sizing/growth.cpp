#include "model/sizing/growth.hpp"

#include "model/cost/finance.hpp"
#include "model/sizing/size_spares.hpp"

#include <algorithm>
#include <cmath>

namespace roofplan::model {
namespace {

constexpr double kMonthSeconds = 8760.0 * 3600 / 12;
constexpr double kMostGroups = 1 << 20;
/// What rounding may add to a whole number of requests.
constexpr double kRounding = 1e-9;

/// Open requests, or requests a second, of today.
double load_today(const Load& load) {
  return load.by_rate() ? *load.rps / (1.0 / unit::s) : static_cast<double>(load.open_requests());
}

/// The most of it that one group serves.
double most_of_group(const Scenario& scenario, const SpeedData& data, const ModelFile& model,
                     const SizePlan& plan, SizeEvaluations& evaluations) {
  if (scenario.load.by_rate()) return most_rate(scenario, data, model, plan, evaluations) / (1.0 / unit::s);
  return most_requests(scenario, data, model, plan, evaluations) / static_cast<double>(plan.groups);
}

double load_in(const Load& load, std::int64_t month) {
  const double grown = load_today(load) * load_factor(load, month);
  return load.by_rate() ? grown : std::ceil(grown * (1 - kRounding));
}

}  // namespace

double load_factor(const Load& load, std::int64_t month) {
  return std::pow(1 + load.growth_per_month, static_cast<double>(month));
}

std::int64_t planned_months(const MoneySettings& money) {
  return std::max<std::int64_t>(1, std::llround(std::ceil(12 * money.years * (1 - kRounding))));
}

void add_stages(const Scenario& scenario, const SpeedData& data, const ModelFile& model, SizePlan& plan,
                SizeEvaluations& evaluations) {
  const Load& load = scenario.load;
  plan.stages.clear();
  if (!(load.growth_per_month > 0)) return;
  const double each = most_of_group(scenario, data, model, plan, evaluations);
  if (!(each > 0)) return;
  SizePlan stage = plan;
  for (std::int64_t month = 0; month < planned_months(scenario.money); ++month) {
    const double now = load_in(load, month);
    if (now / each > kMostGroups) {
      plan.misses.emplace_back("size.grows_out_of_reach", std::vector<Text::Argument>{{"month", month}});
      return;
    }
    const auto groups = std::llround(std::ceil(now / each * (1 - kRounding)));
    if (month == 0) {
      plan.stages.push_back({0, plan.count, plan.spares, now});
    } else if (groups > stage.groups) {
      stage.groups = groups;
      stage.spares = spare_groups(scenario, data, stage) * stage.linked;
      plan.stages.push_back({month, groups * stage.linked + stage.spares, stage.spares, now});
    }
    plan.stages.back().load_end = now;
  }
}

CostOption joined_cost(const std::vector<StageCost>& stages, const Scenario& scenario,
                       const std::optional<TokensPerSecond>& output) {
  const MoneySettings& money = scenario.money;
  CostOption out = stages.front().cost;
  const CostOption& last = stages.back().cost;
  out.unpriced = last.unpriced;
  out.warnings = last.warnings;
  out.later = last.capital - out.capital;
  out.resale = last.capital * money.resale_share;
  out.paid_per_year_end = last.paid_per_year;
  out.yearly.clear();
  out.whole = out.year * 0;
  const Money none = out.capital * 0;
  out.total = out.capital - out.resale;
  double tokens = 0;
  std::size_t at = 0;
  std::vector<double> flows{out.capital.amount()};
  for (std::int64_t month = 0; month < planned_months(money); ++month) {
    Money paid = none;
    if (at + 1 < stages.size() && stages[at + 1].month == month) {
      paid += stages[at + 1].cost.capital - stages[at].cost.capital;
      ++at;
    }
    const double part = std::min(1.0, 12 * money.years - static_cast<double>(month));
    paid += stages[at].cost.paid_per_year * (part / 12);
    out.whole += stages[at].cost.year * (part / 12);
    if (output) tokens += *output / unit::tok_s * load_factor(scenario.load, month) * part * kMonthSeconds;
    if (month % 12 == 0) {
      out.yearly.push_back(none);
      flows.push_back(0);
    }
    out.months.push_back(paid);
    out.yearly.back() += paid;
    flows.back() += paid.amount();
    out.total += paid;
  }
  flows.back() -= out.resale.amount();
  out.present_value = {net_present_value(money.discount, flows), out.total.currency()};
  out.per_mtok.reset();
  if (tokens > 0) out.per_mtok = out.total * (1e6 / tokens);
  return out;
}

}  // namespace roofplan::model
