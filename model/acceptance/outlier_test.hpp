#pragma once

#include "model/acceptance/limits.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace roofplan::model {

/// The side on which a value is bad.
enum class BadSide { low, high };

/// Middle and spread that a few bad values cannot move: the median and 1.4826 times the median absolute
/// deviation from it, which is the standard deviation of normal values (Leys et al., J. Exp. Soc. Psychol.
/// 49, 2013, equation 1).
struct RobustSpread {
  double median = 0, deviation = 0;
};
RobustSpread robust_spread(std::span<const double> values);

/// Indices of the values that lie on the bad side of the median by more than the limits' number of robust
/// deviations and more than their least share of the median. None among fewer than three values: of two,
/// nobody knows which is the odd one.
std::vector<std::size_t> outliers_among(std::span<const double> values, BadSide bad,
                                        const AcceptanceLimits& limits);

/// A measured rate between two ends (hosts, or accelerators of a host).
struct PairRate {
  std::string a, b;
  double rate = 0;
};

/// Who is to blame for slow pairs.
struct PairFaults {
  std::vector<std::string> ends;   ///< all of whose pairs are slow, two at least
  std::vector<std::size_t> pairs;  ///< slow though both their ends are fine elsewhere, or stand alone
  double usual = 0;                ///< median over all pairs
};

/// Splits outliers among pairs into ends and pairs: an end is to blame where at least three quarters of its
/// pairs, and at least two, are slow; the worst end first, whose pairs then count for nobody else.
PairFaults locate_faults(std::span<const PairRate> pairs, const AcceptanceLimits& limits);

}  // namespace roofplan::model
