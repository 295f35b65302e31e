#pragma once

#include "model/units/quantity.hpp"

#include <functional>
#include <span>
#include <vector>

namespace roofplan::probe {

using model::Seconds;

/// When a measurement has seen enough, and which of its times stands for it.
struct StoppingRule {
  int warm_up = 2;  ///< executions before the first that counts
  /// The order statistic that is the value: 0.5 the median, for devices that nothing else uses; 0.1 the time
  /// that a tenth of the executions beat, where other programs disturb.
  double quantile = 0.5;
  double relative_error = 0.02;               ///< target half-width of its 95 % interval / value
  Seconds time_limit = 0.3 * model::unit::s;  ///< of the whole measurement, warm-up included
  int least = 5;                              ///< samples, whatever the time limit says
  int most = 2000;
};

/// Times of one probe. Quantiles by nearest rank, the median of an even count as the mean of both.
struct Measurement {
  Seconds value;  ///< the rule's quantile
  Seconds median, p10, p90;
  int n = 0;
  double relative_error = 0.0;  ///< reached: see relative_error_of_quantile()
  bool converged = false;       ///< the target was reached before a limit
};

/// Half the width of the 95 % confidence interval of a quantile over its value: the order statistics of ranks
/// q n -+ 1.96 sqrt(n q (1 - q)) (binomial interval, Conover, Practical Nonparametric Statistics, 3rd ed.,
/// section 3.2). Needs no form of the distribution, so outliers do not widen it. Infinite below 6 samples.
double relative_error_of_quantile(std::span<const double> sorted, double quantile);

using Sampler = std::function<Seconds()>;       ///< one execution, timed by itself
using Interrupted = std::function<bool()>;      ///< true: stop as soon as possible
using ElapsedClock = std::function<Seconds()>;  ///< monotone

/// The process's monotone clock.
Seconds steady_now();

/// What was measured of one probe, in one go or in several with others between them, so that a disturbance
/// of some seconds does not hit one probe alone.
class Samples {
 public:
  /// Samples until the rule is met, `limit` of time is over, or `interrupted`. Samples of zero or below do
  /// not count as times.
  void take(const Sampler& sample, const StoppingRule& rule, Seconds limit, const Interrupted& interrupted,
            const ElapsedClock& now);
  Measurement summary(const StoppingRule& rule) const;
  bool converged(const StoppingRule& rule) const;

 private:
  std::vector<double> times_;
  int executions_ = 0, looked_at_ = 0;
};

/// All of it in one go.
Measurement measure(const Sampler& sample, const StoppingRule& rule, const Interrupted& interrupted = {},
                    const ElapsedClock& now = steady_now);

}  // namespace roofplan::probe
