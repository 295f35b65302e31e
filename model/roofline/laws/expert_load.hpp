#pragma once

namespace roofplan::model {

/// What the router sends to the busiest expert-parallel rank in one layer.
struct ExpertLoad {
  double routed_tokens = 1;     ///< token-expert pairs on that rank
  double distinct_experts = 1;  ///< of its experts that get at least one
};

/// One routed layer. `ranks` share the experts evenly.
struct RoutedLayer {
  double tokens = 1;  ///< of all ranks together
  double top_k = 1;
  double experts = 1;
  double ranks = 1;
};

/// Tokens spread as evenly as whole tokens allow.
ExpertLoad balanced_load(const RoutedLayer& layer);

/// Every expert equally likely and independent: E (1 - (1 - k/E)^tokens) distinct experts (complement of E
/// independent misses); the busiest rank by extreme_of_normals().
ExpertLoad uniform_load(const RoutedLayer& layer);

/// Popularities of experts as quantiles of a power law x^-exponent, truncated to 0.8 tokens when there are
/// more routed tokens than experts, else to [0.01, 2], scaled to all routed tokens; as the benchmark
/// aiconfigurator-kernels draws them. The busiest of several ranks lies extreme_of_normals() deviations of a
/// rank's sum above the mean. `exponent` above 0 and not 1. O(experts).
ExpertLoad power_law_load(const RoutedLayer& layer, double exponent);

/// A router that may pick experts of `chosen` of `groups` equal groups only, those with the largest two
/// scores (DeepSeek-V3, arXiv:2412.19437, section 2.1.2: 4 of 8).
struct RoutingGroups {
  double groups = 8, chosen = 4;
};

/// The load of the first rank when a benchmark that draws `even` or random choices of experts, one score for
/// all chosen ones, meets such a router: choices in other groups go to the lowest experts of the groups
/// taken, which the first rank holds, and ties go to the lowest groups. Unchanged where no more experts are
/// chosen than groups. Groups of one expert have no second score, so that all tie: every token goes to the
/// same lowest experts, and the times measured there depend neither on the ranks nor on the choices. Random
/// choices: by drawing (see the test), up to 4 %.
ExpertLoad group_limited_load(const ExpertLoad& load, const RoutedLayer& layer, bool even,
                              const RoutingGroups& router = {});

/// Expected largest of n independent standard normal values, n >= 1 (0, 0.564, 0.846, 1.029, ...), after
/// Blom, "Statistical Estimates and Transformed Beta-Variables", 1958; within 3 %.
double extreme_of_normals(double n);

}  // namespace roofplan::model
