#include "model/roofline/laws/expert_load.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace roofplan::model {
namespace {

/// Quantile function of the standard normal distribution by bisection on erfc: only ever asked once a layer.
double normal_quantile(double p) {
  double low = -9.0, high = 9.0;
  for (int i = 0; i < 60; ++i) {
    const double mid = 0.5 * (low + high);
    (0.5 * std::erfc(-mid / std::sqrt(2.0)) < p ? low : high) = mid;
  }
  return 0.5 * (low + high);
}

double experts_of_rank(const RoutedLayer& layer) {
  return std::max(1.0, layer.experts / layer.ranks);
}

/// Inverse transform of the density x^-a between two bounds.
class TruncatedPowerLaw {
 public:
  TruncatedPowerLaw(double exponent, double low, double high)
      : inverse_(1.0 / (1.0 - exponent)),
        low_(std::pow(low, 1.0 - exponent)),
        high_(std::pow(high, 1.0 - exponent)) {}
  double quantile(double u) const { return std::pow((high_ - low_) * u + low_, inverse_); }

 private:
  double inverse_, low_, high_;
};

/// Chance that an expert with `load` tokens on average of many draws is given one after rounding: certain
/// from one token on, small well below half a token.
double chance_of_token(double load) {
  return load >= 1.0 ? 1.0 : 1.0 - std::exp(-load * (0.2 + 1.3 * load));
}

}  // namespace

ExpertLoad group_limited_load(const ExpertLoad& load, const RoutedLayer& layer, bool even,
                              const RoutingGroups& router) {
  const double all = layer.tokens * layer.top_k;
  if (layer.experts <= router.groups) return {all, std::min(layer.top_k, std::max(1.0, all))};
  if (layer.top_k <= router.chosen) return load;
  const double own = experts_of_rank(layer);
  if (!even) {
    // Drawn: of 8 random choices in 8 groups a seventh ends on the first rank that would not have.
    constexpr double kDisplaced = 0.14;
    const double share = std::min(1.0, (layer.top_k - router.chosen) / (router.groups - router.chosen));
    const double displaced = layer.ranks > 1.0 ? kDisplaced * share : 0.0;
    return {std::min(all, load.routed_tokens + displaced * all), load.distinct_experts};
  }
  // Evenly strided choices lie one in a group, so that all groups tie and the first ones are taken.
  const double kept = router.chosen / layer.top_k;
  const double kept_here = kept * std::min(1.0, router.groups / (router.chosen * layer.ranks));
  const double reachable = std::min(own, layer.experts * router.chosen / router.groups);
  const double touched = std::max(1.0, all * kept_here) + layer.top_k - router.chosen;
  return {all * (layer.ranks > 1.0 ? kept_here + 1.0 - kept : 1.0), std::min(reachable, touched)};
}

double extreme_of_normals(double n) {
  return n <= 1.0 ? 0.0 : normal_quantile((n - 0.375) / (n + 0.25));
}

ExpertLoad balanced_load(const RoutedLayer& layer) {
  const double routed = layer.tokens * layer.top_k / layer.ranks;
  return {routed, std::clamp(std::ceil(routed), 1.0, experts_of_rank(layer))};
}

ExpertLoad uniform_load(const RoutedLayer& layer) {
  const double mean = layer.tokens * layer.top_k / layer.ranks;
  const double share = 1.0 / layer.ranks;
  const double deviation = std::sqrt(layer.tokens * layer.top_k * share * (1.0 - share));
  const double own = experts_of_rank(layer);
  const double missed = std::pow(std::max(0.0, 1.0 - layer.top_k / layer.experts), layer.tokens);
  const double routed = mean + extreme_of_normals(layer.ranks) * deviation;
  return {routed, std::clamp(own * (1.0 - missed), std::min(1.0, routed), own)};
}

ExpertLoad power_law_load(const RoutedLayer& layer, double exponent) {
  const double routed = layer.tokens * layer.top_k;
  const bool many = routed > layer.experts;
  const TruncatedPowerLaw law(exponent, many ? 1.0 : 0.01, many ? std::max(2.0, 0.8 * layer.tokens) : 2.0);
  const int experts = static_cast<int>(layer.experts);
  std::vector<double> load(static_cast<std::size_t>(experts));
  double sum = 0.0;
  for (int j = 0; j < experts; ++j)
    sum += load[static_cast<std::size_t>(j)] = law.quantile((j + 0.5) / experts);
  double total = 0.0, squares = 0.0;
  for (double& x : load) {
    x = std::min(layer.tokens, x * routed / sum);
    total += x;
    squares += x * x;
  }
  const double mean = total / experts;
  const double variation = std::sqrt(std::max(0.0, squares / experts - mean * mean)) / mean;
  const double own = experts_of_rank(layer);
  const double busiest =
      std::min(layer.ranks, 1.0 + extreme_of_normals(layer.ranks) * variation / std::sqrt(own));
  double touched = 0.0;
  for (const double x : load) touched += chance_of_token(x * busiest);
  const double on_rank = std::max(1.0, routed / layer.ranks * busiest);
  return {on_rank, std::clamp(touched / layer.ranks, 1.0, std::min(own, on_rank))};
}

}  // namespace roofplan::model
