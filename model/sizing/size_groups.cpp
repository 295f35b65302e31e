#include "model/serving/step_model_store.hpp"
#include "model/sizing/size.hpp"
#include "model/sizing/speed_question.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

namespace roofplan::model {
namespace {

constexpr std::int64_t kMostGroups = 1 << 20;
constexpr std::int64_t kMostRequests = 1 << 20;

std::string percent(double share) {
  return fmt::format("{:.0f} %", 100 * share);
}

/// One group of linked systems under a number of open requests.
class Group {
 public:
  Group(const Scenario& scenario, const SpeedData& data, const ModelFile& model, const System& system,
        std::int64_t linked, std::int64_t& evaluations)
      : scenario_(scenario), data_(data), evaluations_(evaluations) {
    Scenario one = scenario;
    one.system.ref = system.id;
    one.system.count = linked;
    one.system.gpus.reset();
    question_ = std::make_unique<SpeedQuestion>(one, data, model.architecture, system);
    question_->request().step_models = &step_models_;
  }

  SpeedAnswer at(std::int64_t requests) {
    ++evaluations_;
    question_->request().fit.concurrency = requests;
    return speed(question_->request());
  }

  const SpeedRequest& request() const { return question_->request(); }

  bool meets(const SpeedAnswer& answer) const {
    return answer.fits && missed_targets(scenario_.targets, answer).empty();
  }

  bool meets(std::int64_t requests) { return outcome(requests).meets; }

  /// The highest rate that the group completes within its targets; not above 0 where it completes nothing.
  PerSecond most_rate() {
    std::int64_t low = 1, high = 2;
    while (high < kMostRequests && meets(high)) {
      low = high;
      high *= 2;
    }
    while (high - low > 1) {
      const std::int64_t middle = low + (high - low) / 2;
      (meets(middle) ? low : high) = middle;
    }
    return outcome(low).completed / unit::s;
  }

  /// The least open requests at which the group completes `rate` requests a second (Little's law holds in
  /// the closed loop); nothing where it never does.
  std::optional<std::int64_t> requests_for(PerSecond rate) {
    const auto completes = [&](std::int64_t requests) { return outcome(requests).completed; };
    const double wanted = rate / (1.0 / unit::s);
    std::int64_t low = 0, high = 1;
    double reached = completes(high);
    while (reached >= 0 && reached < wanted && high < kMostRequests) {
      low = high;
      high *= 2;
      reached = completes(high);
    }
    if (reached < 0 && low == 0) return std::nullopt;
    while (high - low > 1) {
      const std::int64_t middle = low + (high - low) / 2;
      const double got = completes(middle);
      (got < 0 || got >= wanted ? high : low) = middle;
    }
    return completes(high) >= wanted ? std::optional(high) : std::nullopt;
  }

  LoadPower power(const SpeedAnswer& answer) const {
    return load_power(question_->request(), answer, data_.catalog().phase_power());
  }

 private:
  /// What the searches ask of a number of open requests.
  struct Outcome {
    double completed = -1;  ///< requests a second; below 0 where requests wait or nothing fits
    bool meets = false;     ///< the targets
  };

  /// Kept: the searches for groups and for their requests come by the same numbers again and again.
  const Outcome& outcome(std::int64_t requests) {
    const auto [kept, is_new] = outcomes_.try_emplace(requests);
    if (!is_new) return kept->second;
    const SpeedAnswer answer = at(requests);
    if (answer.fits && !(answer.state.waiting > Seconds()))
      kept->second.completed =
          (answer.output / unit::tok_s) / static_cast<double>(question_->request().output);
    kept->second.meets = meets(answer);
    return kept->second;
  }

  const Scenario& scenario_;
  const SpeedData& data_;
  std::int64_t& evaluations_;
  StepModelStore step_models_;
  std::unique_ptr<SpeedQuestion> question_;
  std::map<std::int64_t, Outcome> outcomes_;
};

/// Requests open in the busiest of so many groups; nothing where a rate cannot be reached.
std::optional<std::int64_t> share_of(Group& group, const Load& load, std::int64_t groups) {
  const bool by_rate = load.rps && !load.concurrency;
  if (!by_rate) return ceil_div(load.open_requests(), groups);
  return group.requests_for(*load.rps / static_cast<double>(groups));
}

bool enough(Group& group, const Load& load, std::int64_t groups) {
  const auto share = share_of(group, load, groups);
  return share && group.meets(*share);
}

/// The fewest groups that are enough, at most `most`. At a rate, those that the highest rate of one asks for
/// are tried first.
std::int64_t fewest_groups(Group& group, const Load& load, std::int64_t most) {
  if (load.rps && !load.concurrency) {
    const double needed = std::ceil(*load.rps / std::max(group.most_rate(), 1e-9 / unit::s));
    const auto groups = static_cast<std::int64_t>(std::min(std::max(needed, 1.0), static_cast<double>(most)));
    if (enough(group, load, groups) ? groups == 1 || !enough(group, load, groups - 1) : groups == most)
      return groups;
  }
  std::int64_t low = 0, high = 1;
  while (high < most && !enough(group, load, high)) {
    low = high;
    high = std::min(most, high * 2);
  }
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    (enough(group, load, middle) ? high : low) = middle;
  }
  return high;
}

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

std::vector<Text> missed_targets(const Targets& targets, const SpeedAnswer& answer) {
  std::vector<Text> out;
  if (answer.state.waiting > Seconds()) out.emplace_back("size.requests_wait");
  if (targets.min_tok_s_per_user && answer.state.tpot) {
    const double wanted = *targets.min_tok_s_per_user / unit::tok_s;
    const double got = 1.0 / (*answer.state.tpot / unit::s);
    if (got < wanted)
      out.push_back(Text("size.too_slow", {{"got", fmt::format("{:.3g}", got)},
                                           {"wanted", fmt::format("{:.3g}", wanted)},
                                           {"by", percent(1 - got / wanted)}}));
  }
  if (targets.max_ttft && answer.state.ttft > *targets.max_ttft)
    out.push_back(
        Text("size.first_token_late", {{"got", to_text(answer.state.ttft)},
                                       {"wanted", to_text(*targets.max_ttft)},
                                       {"by", percent(answer.state.ttft / *targets.max_ttft - 1)}}));
  return out;
}

std::optional<SizePlan> least_groups(const Scenario& scenario, const SpeedData& data, const ModelFile& model,
                                     const System& system, std::int64_t linked, std::int64_t& evaluations,
                                     Text& why) {
  Group group(scenario, data, model, system, linked, evaluations);
  // One request alone is the best case: what misses then misses with any number of groups.
  const SpeedAnswer alone = group.at(1);
  if (!alone.fits) {
    why = Text("size.does_not_fit", {{"count", linked}, {"amount", alone.fit.deficit}});
    return std::nullopt;
  }
  const Load& load = scenario.load;
  const bool by_rate = load.rps && !load.concurrency;
  SizePlan plan;
  plan.system = system.id;
  plan.engine = scenario.engine.ref;
  plan.weights = scenario.model.weights;
  plan.linked = linked;
  plan.pools = scenario.disagg;
  const std::int64_t most = by_rate ? kMostGroups : load.open_requests();
  if (group.meets(alone)) plan.groups = fewest_groups(group, load, most);
  const auto share = group.meets(alone) ? share_of(group, load, plan.groups) : 1;
  plan.requests_each = share.value_or(1);
  SpeedAnswer answer = group.at(plan.requests_each);
  plan.misses = missed_targets(scenario.targets, answer);
  if (!share) plan.misses.emplace_back("size.rate_not_reached");
  if (!by_rate && plan.misses.empty()) {
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
                    const SizePlan& plan, std::int64_t& evaluations) {
  return Group(scenario, data, model, data.catalog().systems().find(plan.system), plan.linked, evaluations)
      .most_rate();
}

double most_requests(const Scenario& scenario, const SpeedData& data, const ModelFile& model,
                     const SizePlan& plan, std::int64_t& evaluations) {
  Group group(scenario, data, model, data.catalog().systems().find(plan.system), plan.linked, evaluations);
  std::int64_t low = plan.requests_each, high = low * 2;
  while (high < kMostRequests && group.meets(high)) {
    low = high;
    high *= 2;
  }
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    (group.meets(middle) ? low : high) = middle;
  }
  return static_cast<double>(low) * static_cast<double>(plan.groups);
}

}  // namespace roofplan::model
