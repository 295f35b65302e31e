#include "model/sizing/size.hpp"
#include "model/sizing/size_judge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace roofplan::model {
namespace {

constexpr std::int64_t kMostGroups = 1 << 20;

Arrivals arrivals_of(const Load& load) {
  return load.by_rate() ? Arrivals::random : Arrivals::closed;
}

/// The highest rate that the group completes within the targets, above 0.
PerSecond most_rate(const Targets& targets, SizeGroup& group) {
  const GroupOutcome& most = group.outcome(group.most_requests(targets, Arrivals::random, 1));
  return std::max(most.runs ? most.completed : PerSecond(), 1e-9 / unit::s);
}

/// How the load of a scenario is dealt out to equal groups.
class Sharing {
 public:
  Sharing(const Scenario& scenario, SizeGroup& group) : scenario_(scenario), group_(group) {}

  /// Requests open in the busiest of so many groups; nothing where a rate cannot be reached.
  std::optional<std::int64_t> share(std::int64_t groups) {
    const Load& load = scenario_.load;
    if (!load.by_rate()) return ceil_div(load.open_requests(), groups);
    return group_.requests_for(*load.rps / static_cast<double>(groups));
  }

  /// The fewest groups that are enough, at most `most`. At a rate, those that the highest rate of one asks
  /// for are tried first.
  std::int64_t fewest(std::int64_t most) {
    if (scenario_.load.by_rate()) {
      most_ = group_.most_requests(scenario_.targets, Arrivals::random, 1);
      const double needed = std::ceil(*scenario_.load.rps / most_rate(scenario_.targets, group_));
      const auto groups =
          static_cast<std::int64_t>(std::min(std::max(needed, 1.0), static_cast<double>(most)));
      if (enough(groups) ? groups == 1 || !enough(groups - 1) : groups == most) return groups;
    }
    std::int64_t low = 0, high = 1;
    while (high < most && !enough(high)) {
      low = high;
      high = std::min(most, high * 2);
    }
    while (high - low > 1) {
      const std::int64_t middle = low + (high - low) / 2;
      (enough(middle) ? high : low) = middle;
    }
    return high;
  }

 private:
  bool enough(std::int64_t groups) {
    const Load& load = scenario_.load;
    const auto requests =
        load.by_rate() ? group_.requests_for(*load.rps / static_cast<double>(groups), most_) : share(groups);
    return requests && group_.meets(scenario_.targets, arrivals_of(load), *requests);
  }

  const Scenario& scenario_;
  SizeGroup& group_;
  std::int64_t most_ = SizeGroup::kMostRequests;  ///< requests of one group within the targets
};

void take_speed(const SpeedAnswer& answer, const LoadPower& power, SizePlan& plan) {
  const auto groups = static_cast<double>(plan.groups);
  plan.parallel = answer.parallel;
  plan.ranges = answer.ranges;
  plan.ttft = answer.state.ttft;
  if (answer.state.tpot) plan.tok_s_per_user = 1.0 / (*answer.state.tpot / unit::s);
  plan.output = answer.output * groups;
  if (!power.unknown) {
    plan.power = power.mean * groups;
    plan.joule_per_token = *plan.power / plan.output / (unit::W / unit::tok_s);
  }
}

}  // namespace

std::vector<Text> missed_targets(const Targets& targets, const HeldLatency& held) {
  std::vector<Text> out;
  const auto miss = [&](Text text) {
    if (targets.statistic == "mean") {
      out.push_back(std::move(text));
    } else {
      out.push_back(Text("size.at_statistic", {{"statistic", targets.statistic}, {"miss", std::move(text)}}));
    }
  };
  if (held.waits) miss(Text("size.requests_wait"));
  if (targets.min_tok_s_per_user && held.tpot) {
    const double wanted = *targets.min_tok_s_per_user / unit::tok_s;
    const double got = 1.0 / (*held.tpot / unit::s);
    if (speed_factor(targets, held.tpot) > 1)
      miss(Text("size.too_slow", {{"got", fmt::format("{:.3g}", got)},
                                  {"wanted", fmt::format("{:.3g}", wanted)},
                                  {"by", whole_percent(1 - got / wanted)}}));
  }
  if (first_token_factor(targets, held.ttft) > 1)
    miss(Text("size.first_token_late", {{"got", to_text(held.ttft)},
                                        {"wanted", to_text(*targets.max_ttft)},
                                        {"by", whole_percent(held.ttft / *targets.max_ttft - 1)}}));
  return out;
}

std::optional<SizePlan> least_groups(const Scenario& scenario, const SpeedData& data, const ModelFile& model,
                                     const System& system, std::int64_t linked, SizeEvaluations& evaluations,
                                     Text& why) {
  SizeGroup& group = evaluations.group(scenario, data, model, system, linked);
  Sharing sharing(scenario, group);
  // One request alone is the best case: what misses then misses with any number of groups.
  const SpeedAnswer& alone = group.at(1);
  if (!alone.fits) {
    why = alone.fit.legal || alone.reasons.empty()
              ? Text("size.does_not_fit", {{"count", linked}, {"amount", alone.fit.deficit}})
              : alone.reasons.front();
    return std::nullopt;
  }
  const Load& load = scenario.load;
  SizePlan plan;
  plan.system = system.id;
  plan.engine = scenario.engine.ref;
  plan.weights = scenario.model.weights;
  plan.linked = linked;
  plan.pools = scenario.disagg;
  const bool hopeful = group.meets(scenario.targets, arrivals_of(load), 1);
  if (hopeful) plan.groups = sharing.fewest(load.by_rate() ? kMostGroups : load.open_requests());
  const auto share = hopeful ? sharing.share(plan.groups) : 1;
  plan.requests_each = share.value_or(1);
  SpeedAnswer answer = group.at(plan.requests_each);
  const HeldLatency held = group.held(scenario.targets, arrivals_of(load), plan.requests_each);
  plan.misses = missed_targets(scenario.targets, held);
  plan.ttft_held = held.ttft;
  if (held.tpot) plan.tok_s_held = 1.0 / (*held.tpot / unit::s);
  if (!share) plan.misses.emplace_back("size.rate_not_reached");
  if (!load.by_rate() && plan.misses.empty()) {
    // The groups' shares differ by one request at most; the output is that of all open requests.
    answer.output = answer.output * (static_cast<double>(load.open_requests()) /
                                     static_cast<double>(plan.groups * plan.requests_each));
  }
  plan.count = plan.groups * linked;
  plan.gpus = plan.count * system.accelerators;
  take_speed(answer, group.power(answer), plan);
  return plan;
}

PerSecond most_rate(const Scenario& scenario, const SpeedData& data, const ModelFile& model,
                    const SizePlan& plan, SizeEvaluations& evaluations) {
  return most_rate(
      scenario.targets,
      evaluations.group(scenario, data, model, data.catalog().systems().find(plan.system), plan.linked));
}

double most_requests(const Scenario& scenario, const SpeedData& data, const ModelFile& model,
                     const SizePlan& plan, SizeEvaluations& evaluations) {
  SizeGroup& group =
      evaluations.group(scenario, data, model, data.catalog().systems().find(plan.system), plan.linked);
  return static_cast<double>(
             group.most_requests(scenario.targets, arrivals_of(scenario.load), plan.requests_each)) *
         static_cast<double>(plan.groups);
}

}  // namespace roofplan::model
