#include "model/reliability/availability.hpp"

#include <algorithm>
#include <cmath>

namespace roofplan::model {

double availability(PerSecond rate, Seconds repair) {
  return 1.0 / (1.0 + rate * repair);
}

double at_least(std::int64_t needed, std::int64_t parts, double each) {
  if (needed <= 0) return 1;
  if (needed > parts || each <= 0) return 0;
  if (each >= 1) return 1;
  // Terms by the number of failed parts, in logarithms, since each^parts may be too small for a double.
  const double odds = std::log1p(-each) - std::log(each);
  double log_term = static_cast<double>(parts) * std::log(each), sum = 0;
  for (std::int64_t failed = 0; failed <= parts - needed; ++failed) {
    sum += std::exp(log_term);
    log_term += odds + std::log(static_cast<double>(parts - failed) / static_cast<double>(failed + 1));
  }
  return std::min(sum, 1.0);
}

double RedundantService::with_spares(std::int64_t spares) const {
  return at_least(groups * blocks, (groups + spares) * blocks, block);
}

std::optional<std::int64_t> least_spares(const RedundantService& service, double target) {
  if (service.with_spares(kMostSpares) < target) return std::nullopt;
  std::int64_t low = -1, high = 1;
  while (service.with_spares(high) < target) {
    low = high;
    high *= 2;
  }
  // More spares are never worse.
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    (service.with_spares(middle) < target ? low : high) = middle;
  }
  return high;
}

}  // namespace roofplan::model
