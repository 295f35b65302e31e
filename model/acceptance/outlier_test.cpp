#include "model/acceptance/outlier_test.hpp"

#include "model/calibration/error_statistics.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

namespace roofplan::model {
namespace {

struct EndCount {
  std::size_t pairs = 0, slow = 0;
};

/// The end with the largest share of slow pairs among those that nothing explains yet, where it is to blame.
std::optional<std::string> worst_end(std::span<const PairRate> pairs, const std::vector<bool>& explained,
                                     const std::vector<std::size_t>& slow) {
  std::map<std::string, EndCount> counts;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (explained[i]) continue;
    ++counts[pairs[i].a].pairs;
    ++counts[pairs[i].b].pairs;
  }
  for (const std::size_t i : slow) {
    ++counts[pairs[i].a].slow;
    ++counts[pairs[i].b].slow;
  }
  const auto better = [](const EndCount& x, const EndCount& y) {
    const std::size_t left = x.slow * y.pairs, right = y.slow * x.pairs;
    return left != right ? left > right : x.slow > y.slow;
  };
  std::optional<std::string> worst;
  for (const auto& [end, count] : counts) {
    if (count.slow < 2 || 4 * count.slow < 3 * count.pairs) continue;
    if (!worst || better(count, counts[*worst])) worst = end;
  }
  return worst;
}

}  // namespace

RobustSpread robust_spread(std::span<const double> values) {
  constexpr double kOfNormal = 1.4826;
  const double middle = median(values);
  std::vector<double> off(values.begin(), values.end());
  for (double& value : off) value = std::abs(value - middle);
  return {middle, kOfNormal * median(off)};
}

std::vector<std::size_t> outliers_among(std::span<const double> values, BadSide bad,
                                        const AcceptanceLimits& limits) {
  if (values.size() < 3) return {};
  const RobustSpread spread = robust_spread(values);
  const double limit = std::max(*limits.outlier_deviations * spread.deviation,
                                *limits.outlier_least * std::abs(spread.median));
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double off = bad == BadSide::low ? spread.median - values[i] : values[i] - spread.median;
    if (off > limit) found.push_back(i);
  }
  return found;
}

PairFaults locate_faults(std::span<const PairRate> pairs, const AcceptanceLimits& limits) {
  std::vector<double> rates;
  for (const PairRate& pair : pairs) rates.push_back(pair.rate);
  PairFaults faults;
  faults.usual = robust_spread(rates).median;
  std::vector<std::size_t> slow = outliers_among(rates, BadSide::low, limits);
  std::vector<bool> explained(pairs.size(), false);
  while (!slow.empty()) {
    const auto end = worst_end(pairs, explained, slow);
    if (!end) break;
    faults.ends.push_back(*end);
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      if (pairs[i].a == *end || pairs[i].b == *end) explained[i] = true;
    }
    std::erase_if(slow, [&](std::size_t i) { return explained[i]; });
  }
  faults.pairs = std::move(slow);
  return faults;
}

}  // namespace roofplan::model
