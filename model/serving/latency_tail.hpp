#pragma once

#include "model/serving/steady_state.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

namespace roofplan::model {

/// Who sends requests: a fixed number of clients, each its next when the last is done, or the world at random
/// (Poisson) at a rate.
enum class Arrivals { closed, random };

/// Latencies that a share of the requests stays within.
struct LatencyTail {
  Seconds ttft;
  std::optional<Seconds> tpot;  ///< nothing where there is one output token only
};

/// The share that a word means: "p99" is 0.99, "mean" is nothing.
std::optional<double> quantile_of(std::string_view statistic);

/// Least k with P(X <= k) >= quantile, X binomial; above kExactTrials trials by the normal law. trials >= 0,
/// share in [0, 1], quantile in (0, 1).
std::int64_t binomial_quantile(std::int64_t trials, double share, double quantile);

/// The same of a Poisson variable.
std::int64_t poisson_quantile(double mean, double quantile);

/// The wait in front of one server that `quantile` of the arrivals stay within, from its mean: an arrival
/// waits with the probability `busy`, and then an exponential time of mean `mean` / `busy`. Exact for M/M/1,
/// the heavy-traffic law of M/G/1 (Kingman, Proc. Camb. Phil. Soc. 57 (1961) 902). busy in [0, 1).
Seconds wait_quantile(Seconds mean, double busy, double quantile);

/// Tails of a steady state whose requests are of one length. First token: the prompts that are ahead of one's
/// own are, among a fixed number of clients, a binomial number of the others (each ahead with the share of
/// the mean); at random arrivals the wait for them is that of M/G/1. Between tokens: the decode steps that
/// meet prompts of others are a binomial number of a request's steps. All else stands at its mean: the wait
/// for a place, the engine's own time, and at random arrivals the number of open requests, whose quantile
/// (Poisson, M/G/infinity) whoever asks puts in as the load.
LatencyTail latency_tail(const SteadyState& state, double quantile, Arrivals arrivals);

inline constexpr std::int64_t kExactTrials = 4096;

}  // namespace roofplan::model
