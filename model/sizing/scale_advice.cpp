#include "model/sizing/scale_advice.hpp"

#include "model/memory/fit_texts.hpp"
#include "model/sizing/size.hpp"
#include "model/sizing/speed_question.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace roofplan::model {
namespace {

using Kind = ScaleOption::Kind;

// Thresholds of the source document: about ten constant users, day and night, tens of terabytes.
constexpr double kConstantUsers = 10, kBusyHours = 20, kDataTerabytes = 10;
/// Linked where two are too few, or as many as can be.
constexpr std::int64_t kMostLinked = 4;

/// What every option is computed from.
struct Setting {
  const ScaleRequest& request;
  const SpeedData& data;
  const ModelFile& model;
  std::int64_t users;
  Targets targets;  ///< with a speed, stated or assumed
};

SpeedAnswer ask(const Setting& setting, const std::string& system, std::int64_t count, std::int64_t users,
                const ParallelSettings& parallel) {
  Scenario scenario = setting.request.scenario;
  scenario.system.ref = system;
  scenario.system.count = count;
  scenario.system.gpus.reset();
  scenario.load.concurrency = users;
  scenario.parallel = parallel;
  const SpeedQuestion question(scenario, setting.data, setting.model.architecture,
                               setting.data.catalog().systems().find(system));
  return speed(question.request());
}

void take_speed(const Setting& setting, ScaleOption& option) {
  if (!option.speed.fits) return;
  const SteadyState& state = option.speed.state;
  if (state.tpot) option.tok_s_per_user = 1.0 / (*state.tpot / unit::s);
  option.tok_s_total = static_cast<double>(option.replicas) * (option.speed.output / unit::tok_s);
  option.misses = missed_targets(setting.targets, held_latency(setting.targets, state, Arrivals::closed));
  option.meets_target = option.misses.empty();
}

ScaleOption option_of(const Setting& setting, Kind kind, const std::string& system, std::int64_t count,
                      std::int64_t replicas, const ParallelSettings& parallel) {
  ScaleOption out;
  out.kind = kind;
  out.system = system;
  out.count = count;
  out.replicas = replicas;
  out.users_each = ceil_div(setting.users, replicas);
  out.speed = ask(setting, system, count / replicas, out.users_each, parallel);
  take_speed(setting, out);
  return out;
}

ParallelSettings split(std::int64_t tp, std::int64_t pp) {
  ParallelSettings out;
  out.tp = tp;
  out.pp = pp;
  out.dp = 1;
  return out;
}

/// Boxes on a cable or switch as one machine: by tensors and by layers.
void add_linked(const Setting& setting, const std::string& box, std::int64_t count,
                std::vector<ScaleOption>& out) {
  out.push_back(option_of(setting, Kind::link, box, count, 1, split(count, 1)));
  out.push_back(option_of(setting, Kind::link, box, count, 1, split(1, count)));
}

/// How long an exchange takes and how long it might for the link to be worth as much as one box. Each layer
/// sums twice under tensor parallelism and hands over once under pipeline parallelism.
void add_break_even(const ScaleOption& single, ScaleOption& linked) {
  if (!single.tok_s_per_user || !linked.tok_s_per_user) return;
  double exchanges = 0;
  for (const OperatorShare& row : linked.speed.breakdown) {
    if (row.phase == Phase::decode && row.kind == OperatorKind::collective) exchanges += row.count;
  }
  if (exchanges < 1) return;
  const StepTime& step = linked.speed.step;
  linked.exchange = step.communication / exchanges;
  const Seconds saved = single.speed.step.total - (step.total - step.communication);
  linked.break_even_exchange = std::max(saved, Seconds{}) / exchanges;
}

std::vector<ScaleOption> all_options(const Setting& setting) {
  const std::string& box = setting.request.scenario.system.ref;
  std::vector<ScaleOption> out;
  ScaleOption single = option_of(setting, Kind::single, box, 1, 1, split(1, 1));
  const bool one_is_enough = single.speed.fits;
  out.push_back(single);
  add_linked(setting, box, 2, out);
  if (one_is_enough) {
    out.push_back(option_of(setting, Kind::separate, box, 2, 2, split(1, 1)));
    for (ScaleOption& option : out) {
      if (option.kind == Kind::link) add_break_even(single, option);
    }
  }
  const bool two_are_enough =
      std::any_of(out.begin(), out.end(), [](const ScaleOption& o) { return o.speed.fits; });
  const std::int64_t most =
      std::min(kMostLinked, most_linked(setting.data.catalog().systems().find(box)).value_or(kMostLinked));
  if (!two_are_enough && most > 2) add_linked(setting, box, most, out);
  out.push_back(option_of(setting, Kind::servers, setting.request.server, 1, 1, ParallelSettings{}));
  for (ScaleOption& option : out) {
    if (single.tok_s_per_user && option.tok_s_per_user)
      option.gain = *option.tok_s_per_user / *single.tok_s_per_user;
  }
  return out;
}

ServerTest test_of(std::optional<double> value, double threshold) {
  return {value, threshold, value.has_value() && *value >= threshold};
}

bool any(const std::vector<ScaleOption>& options, Kind kind, bool (*holds)(const ScaleOption&)) {
  return std::any_of(options.begin(), options.end(),
                     [&](const ScaleOption& option) { return option.kind == kind && holds(option); });
}

void decide(const Setting& setting, ScaleAnswer& out) {
  const auto runs = [&](Kind kind) {
    return any(out.options, kind, [](const ScaleOption& option) { return option.speed.fits; });
  };
  const auto meets = [&](Kind kind) {
    return any(out.options, kind, [](const ScaleOption& option) { return option.meets_target; });
  };
  const auto choose = [&](Kind kind, const char* key) {
    out.advice = kind;
    out.reason = Text(key, {{"users", setting.users}, {"target", fmt::format("{:g}", out.target_tok_s)}});
  };
  if (out.tests_held >= 2 && !out.operator_there.value_or(false))
    out.warnings.emplace_back("scale.nobody_runs_them");
  if (!out.any_meets()) return choose(Kind::servers, "scale.none_meets");
  if (out.tests_held >= 2 && out.operator_there.value_or(false))
    return choose(Kind::servers, "scale.servers_by_tests");
  if (!runs(Kind::single) && !runs(Kind::link)) return choose(Kind::servers, "scale.too_large");
  if (!runs(Kind::single) && (out.target_assumed || meets(Kind::link)))
    return choose(Kind::link, "scale.model_too_large");
  if (meets(Kind::single)) return choose(Kind::single, "scale.one_is_enough");
  if (meets(Kind::separate)) return choose(Kind::separate, "scale.too_many_people");
  if (meets(Kind::link)) return choose(Kind::link, "scale.only_link_is_fast");
  return choose(Kind::servers, "scale.too_slow");
}

}  // namespace

const char* scale_word(Kind kind) {
  switch (kind) {
    case Kind::single:
      return "single";
    case Kind::link:
      return "link";
    case Kind::separate:
      return "separate";
    case Kind::servers:
      return "servers";
  }
  return "";
}

bool ScaleAnswer::any_meets() const {
  return std::any_of(options.begin(), options.end(), [](const ScaleOption& o) { return o.meets_target; });
}

ScaleAnswer scale_advice(const ScaleRequest& request, const SpeedData& data, const ModelFile& model) {
  ScaleAnswer out;
  const std::optional<TokensPerSecond>& wanted = request.scenario.targets.min_tok_s_per_user;
  out.target_assumed = !wanted.has_value();
  out.target_tok_s = wanted ? *wanted / unit::tok_s : kReadingSpeed;
  Targets targets = request.scenario.targets;
  targets.min_tok_s_per_user = out.target_tok_s * unit::tok_s;
  const Setting setting{request, data, model, request.scenario.load.open_requests(), targets};
  out.options = all_options(setting);
  out.users = test_of(static_cast<double>(setting.users), kConstantUsers);
  out.duty = test_of(request.busy_hours, kBusyHours);
  out.data =
      test_of(request.data ? std::optional<double>(*request.data / unit::TB) : std::nullopt, kDataTerabytes);
  out.operator_there = request.operator_there;
  out.tests_held =
      static_cast<int>(out.users.holds) + static_cast<int>(out.duty.holds) + static_cast<int>(out.data.holds);
  decide(setting, out);
  if (auto beyond = beyond_model(model.architecture, sequence_tokens(request.scenario.load)))
    out.warnings.push_back(std::move(*beyond));
  if (out.target_assumed)
    out.warnings.emplace_back("scale.target_assumed",
                              std::vector<Text::Argument>{{"target", fmt::format("{:g}", out.target_tok_s)}});
  return out;
}

}  // namespace roofplan::model
