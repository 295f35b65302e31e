#include "model/calibration/error_statistics.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace roofplan::model {

double median(std::span<const double> values) {
  if (values.empty()) return 0.0;
  std::vector<double> sorted(values.begin(), values.end());
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
  std::nth_element(sorted.begin(), middle, sorted.end());
  if (sorted.size() % 2 == 1) return *middle;
  return 0.5 * (*middle + *std::max_element(sorted.begin(), middle));
}

double nearest_rank(std::span<const double> values, double share) {
  if (values.empty()) return 0.0;
  std::vector<double> sorted(values.begin(), values.end());
  // The small term keeps 0.9 * 10 = 9.000000000000002 from being rank 10.
  const double rank = std::ceil(share * static_cast<double>(sorted.size()) - 1e-9);
  const auto index =
      static_cast<std::ptrdiff_t>(std::clamp(rank, 1.0, static_cast<double>(sorted.size()))) - 1;
  std::nth_element(sorted.begin(), sorted.begin() + index, sorted.end());
  return sorted[static_cast<std::size_t>(index)];
}

ErrorStatistics error_statistics(std::span<const double> ratios) {
  if (ratios.empty()) return {};
  std::vector<double> errors(ratios.size());
  std::transform(ratios.begin(), ratios.end(), errors.begin(),
                 [](double ratio) { return std::abs(ratio - 1.0); });
  return {.n = ratios.size(),
          .median_ape = median(errors),
          .mean_ape = std::accumulate(errors.begin(), errors.end(), 0.0) / static_cast<double>(errors.size()),
          .p90_ape = nearest_rank(errors, 0.9),
          .bias = median(ratios) - 1.0};
}

}  // namespace roofplan::model
