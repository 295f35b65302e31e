#include "model/serving/latency_tail.hpp"

#include <algorithm>
#include <cmath>

namespace roofplan::model {
namespace {

/// The standard normal quantile by bisection of erfc.
double normal_quantile(double quantile) {
  double low = -10, high = 10;
  while (high - low > 1e-12) {
    const double middle = 0.5 * (low + high);
    (0.5 * std::erfc(-middle / std::sqrt(2.0)) < quantile ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

std::int64_t by_normal_law(double mean, double variance, double quantile) {
  const double at = mean + normal_quantile(quantile) * std::sqrt(variance);
  return std::max<std::int64_t>(0, std::llround(std::ceil(at - 0.5)));
}

}  // namespace

std::optional<double> quantile_of(std::string_view statistic) {
  if (statistic.size() != 3 || statistic.front() != 'p') return std::nullopt;
  return (statistic[1] - '0') * 0.1 + (statistic[2] - '0') * 0.01;
}

std::int64_t binomial_quantile(std::int64_t trials, double share, double quantile) {
  if (trials < 1 || share <= 0) return 0;
  if (share >= 1) return trials;
  const auto n = static_cast<double>(trials);
  if (trials > kExactTrials) return by_normal_law(n * share, n * share * (1 - share), quantile);
  double sum = 0;
  for (std::int64_t k = 0; k < trials; ++k) {
    const auto i = static_cast<double>(k);
    sum += std::exp(std::lgamma(n + 1) - std::lgamma(i + 1) - std::lgamma(n - i + 1) + i * std::log(share) +
                    (n - i) * std::log1p(-share));
    if (sum >= quantile) return k;
  }
  return trials;
}

std::int64_t poisson_quantile(double mean, double quantile) {
  if (mean <= 0) return 0;
  if (mean > static_cast<double>(kExactTrials)) return by_normal_law(mean, mean, quantile);
  double sum = 0;
  for (std::int64_t k = 0;; ++k) {
    const auto i = static_cast<double>(k);
    const double here = std::exp(i * std::log(mean) - mean - std::lgamma(i + 1));
    sum += here;
    if (sum >= quantile || (i > mean && here < 1e-18)) return k;
  }
}

Seconds wait_quantile(Seconds mean, double busy, double quantile) {
  if (busy <= 1 - quantile) return Seconds();
  return mean * (std::log(busy / (1 - quantile)) / busy);
}

LatencyTail latency_tail(const SteadyState& s, double quantile, Arrivals arrivals) {
  LatencyTail out{s.ttft, s.tpot};
  const Seconds ahead = s.ahead_each * (s.others * s.ahead);
  if (ahead > Seconds()) {
    if (arrivals == Arrivals::random) {
      constexpr double kMost = 1 - 1e-9;
      const double busy = std::min(kMost, (s.others + 1) * (s.ahead_each / s.e2e));
      out.ttft = s.ttft - ahead + wait_quantile(ahead, busy, quantile);
    } else {
      const std::int64_t others = std::llround(std::ceil(s.others));
      const double share = s.others * s.ahead / static_cast<double>(others);
      out.ttft =
          s.ttft - ahead + s.ahead_each * static_cast<double>(binomial_quantile(others, share, quantile));
    }
  }
  if (s.tpot && s.met > 0 && s.decode_steps > 0) {
    const double tokens = (s.e2e - s.ttft) / *s.tpot;
    const Seconds mean = *s.tpot * (tokens / s.decode_steps);  // of a step with what comes in between
    const std::int64_t steps = std::max<std::int64_t>(1, std::llround(s.decode_steps));
    const double met =
        static_cast<double>(binomial_quantile(steps, s.met, quantile)) / static_cast<double>(steps);
    out.tpot = (s.step + (mean - s.step) * (met / s.met)) * (s.decode_steps / tokens);
  }
  return out;
}

}  // namespace roofplan::model
