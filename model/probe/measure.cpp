#include "model/probe/measure.hpp"

#include "model/calibration/error_statistics.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

namespace roofplan::probe {
namespace {

constexpr int kLeastForInterval = 6;
constexpr double kNormal95 = 1.96;

double quantile_of(std::span<const double> sorted, double quantile) {
  return quantile == 0.5 ? model::median(sorted) : model::nearest_rank(sorted, quantile);
}

std::vector<double> in_order(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  return times;
}

}  // namespace

double relative_error_of_quantile(std::span<const double> sorted, double quantile) {
  const auto n = static_cast<double>(sorted.size());
  if (n < kLeastForInterval) return std::numeric_limits<double>::infinity();
  const double reach = kNormal95 * std::sqrt(n * quantile * (1 - quantile));
  const auto low = static_cast<std::size_t>(std::max(0.0, std::floor(n * quantile - reach)));
  const auto high = static_cast<std::size_t>(std::min(n - 1, std::ceil(n * quantile + reach)));
  const double value = quantile_of(sorted, quantile);
  return value > 0 ? (sorted[high] - sorted[low]) / 2 / value : std::numeric_limits<double>::infinity();
}

Seconds steady_now() {
  const auto since = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double>(since).count() * model::unit::s;
}

void Samples::take(const Sampler& sample, const StoppingRule& rule, Seconds limit,
                   const Interrupted& interrupted, const ElapsedClock& now) {
  const Seconds start = now();
  const auto stop = [&] { return interrupted && interrupted(); };
  for (int i = 0; i < rule.warm_up && !stop() && now() - start < limit; ++i) sample();
  for (int taken = 0; executions_ < rule.most && !stop(); ++executions_, ++taken) {
    if (taken >= rule.least && now() - start >= limit) return;
    if (const double t = sample().base(); t > 0) times_.push_back(t);
    const int n = static_cast<int>(times_.size());
    // Sorting after every sample would cost more than short samples themselves.
    if (n < rule.least || n < looked_at_ + std::max(1, looked_at_ / 8)) continue;
    looked_at_ = n;
    if (converged(rule)) {
      ++executions_;
      return;
    }
  }
}

bool Samples::converged(const StoppingRule& rule) const {
  return relative_error_of_quantile(in_order(times_), rule.quantile) <= rule.relative_error;
}

Measurement Samples::summary(const StoppingRule& rule) const {
  Measurement out;
  const std::vector<double> sorted = in_order(times_);
  out.n = static_cast<int>(sorted.size());
  if (out.n == 0) return out;
  out.value = quantile_of(sorted, rule.quantile) * model::unit::s;
  out.median = model::median(sorted) * model::unit::s;
  out.p10 = model::nearest_rank(sorted, 0.1) * model::unit::s;
  out.p90 = model::nearest_rank(sorted, 0.9) * model::unit::s;
  out.relative_error = relative_error_of_quantile(sorted, rule.quantile);
  out.converged = out.relative_error <= rule.relative_error;
  return out;
}

Measurement measure(const Sampler& sample, const StoppingRule& rule, const Interrupted& interrupted,
                    const ElapsedClock& now) {
  Samples samples;
  samples.take(sample, rule, rule.time_limit, interrupted, now);
  return samples.summary(rule);
}

}  // namespace roofplan::probe
