#pragma once

#include <cstddef>
#include <span>

namespace roofplan::model {

/// How far predictions lie from measurements. APE is |predicted / measured - 1|, a fraction.
struct ErrorStatistics {
  std::size_t n = 0;
  double median_ape = 0.0;
  double mean_ape = 0.0;
  double p90_ape = 0.0;  ///< by nearest rank: the ceil(0.9 n)-th smallest
  double bias = 0.0;     ///< median of predicted / measured, less 1
};

/// Statistics over `ratios` = predicted / measured, each finite and above zero. All zero for none.
ErrorStatistics error_statistics(std::span<const double> ratios);

/// Middle value; the mean of the two middle values of an even count. Zero for none.
double median(std::span<const double> values);
/// The ceil(share * n)-th smallest value, 0 < share <= 1 (nearest rank). Zero for none.
double nearest_rank(std::span<const double> values, double share);

}  // namespace roofplan::model
