#include "model/acceptance/scaling.hpp"

#include "model/acceptance/checks.hpp"
#include "model/acceptance/outlier_test.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <compare>
#include <map>

namespace roofplan::model {
namespace {

using State = ScalingVerdict::State;

/// Growth of a shortfall that is more than noise: half of what a measurement may be off.
bool grows(const ScalingVerdict& from, const ScalingVerdict& to) {
  return 1 - to.share / from.share > to.tolerance / 2;
}

bool is_short(const ScalingVerdict& point) {
  return point.share < 1 - point.tolerance;
}

State state_of(std::span<const ScalingVerdict> points, std::size_t at) {
  if (!is_short(points[at])) return State::ok;
  const auto first =
      static_cast<std::size_t>(std::find_if(points.begin(), points.end(), is_short) - points.begin());
  if (first == 1 || grows(points[first], points[at])) return State::slow_fabric;
  // A shortfall that came in late is a node's only where it stays the same to the end.
  if (first > 1 && std::any_of(points.begin() + static_cast<std::ptrdiff_t>(first), points.end(),
                               [&](const ScalingVerdict& p) { return grows(points[first], p); }))
    return State::slow_fabric;
  return State::slow_node;
}

struct SeriesKey {
  Collective op;
  double bytes;
  int ranks_of_host;
  auto operator<=>(const SeriesKey&) const = default;
};

/// Measured and expected of the runs on one number of hosts.
struct Runs {
  std::vector<double> shares;
  double expected = 0, tolerance = 0;
};

}  // namespace

std::vector<ScalingVerdict> judge_scaling(std::span<const ScalingMeasurement> measurements,
                                          const std::string& quantity, const std::string& unit) {
  std::vector<ScalingVerdict> points;
  if (measurements.empty()) return points;
  const ScalingMeasurement& base = measurements.front();
  for (const ScalingMeasurement& m : measurements) {
    const double linear = base.measured * static_cast<double>(m.nodes) / static_cast<double>(base.nodes);
    const double expected = m.expected.value_or(linear);
    points.push_back({quantity, unit, m.nodes, m.measured, expected, m.expected.has_value(),
                      expected > 0 ? m.measured / expected : 1, m.tolerance, State::ok});
  }
  for (std::size_t i = 0; i < points.size(); ++i) points[i].state = state_of(points, i);
  return points;
}

void check_scaling(const Evidence& evidence, const Promise& promise, Acceptance& acceptance) {
  std::map<SeriesKey, std::map<std::int64_t, Runs>> series;
  for (const CollectiveRun& run : evidence.collectives) {
    const Check check = rate_check(run, promise);
    if (!check.pass) continue;
    double bytes = 0;
    for (const CollectiveRow& row : run.rows) bytes = std::max(bytes, row.bytes / unit::B);
    const auto hosts = static_cast<int>(hosts_of(run).size());
    if (hosts == 0) continue;
    Runs& runs = series[{*run.op, bytes, run.rank_count / hosts}][hosts];
    runs.expected = std::get<double>(check.expected);
    runs.shares.push_back(std::get<double>(check.measured) / runs.expected);
    runs.tolerance = check.tolerance;
  }
  for (const auto& [key, counts] : series) {
    if (counts.size() < 2) continue;
    std::vector<ScalingMeasurement> measurements;
    for (const auto& [nodes, runs] : counts)
      measurements.push_back(
          {nodes, robust_spread(runs.shares).median * runs.expected, runs.expected, runs.tolerance});
    const std::string quantity =
        fmt::format("{}.busbw {}", to_text(key.op), to_text(ceil_bytes(key.bytes * unit::B)));
    for (ScalingVerdict& point : judge_scaling(measurements, quantity, "GB/s"))
      acceptance.scaling.push_back(std::move(point));
  }
}

}  // namespace roofplan::model
