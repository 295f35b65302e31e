#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace roofplan::model {

/// A parameter to be fitted, in a unit the caller chooses.
struct FitParameter {
  std::string name;
  double start = 1.0;
  double low = 0.0, high = 1.0;  ///< plausible range; the fit never leaves it
  /// Search along the logarithm (needs low > 0): right for rates, latencies and sizes.
  bool logarithmic = true;
};

struct FitOptions {
  double loss_scale = 0.05;  ///< residuals well above it count linearly instead of squared (soft-L1)
  int screened = 48;         ///< points of the box looked at before starting
  int starts = 4;            ///< descents: from the stated start and from the best of the screened points
  int max_iterations = 120;  ///< of each descent
};

struct FittedParameter {
  std::string name;
  double value = 0.0;
  double relative_std = 0.0;  ///< standard deviation / |value|, from the covariance at the optimum
  bool on_bound = false;
  /// False when on a bound or known to less than 50 %: such a value must not be read as physics.
  bool determined = true;
};

struct FitResult {
  std::vector<FittedParameter> parameters;  ///< in the order of the request
  double loss = 0.0;                        ///< mean soft-L1 loss at the optimum, in units of loss_scale^2
  int evaluations = 0;
  bool converged = false;

  std::vector<double> values() const;
};

/// Writes the residuals at `parameters` (in the order of the request); for times the natural choice is
/// log(predicted / measured). Must be finite everywhere in the box.
using ResidualFunction = std::function<void(std::span<const double> parameters, std::span<double> residuals)>;

/// Least squares that outliers cannot bend: minimises the sum of s^2 * 2 (sqrt(1 + (r/s)^2) - 1) over the box
/// by Levenberg-Marquardt (Marquardt, SIAM J. Appl. Math. 11, 1963) with iteratively reweighted residuals,
/// projection on the bounds and a numeric Jacobian. Several starts, chosen by a Halton sequence: the same
/// input gives the same result. Throws InputError (content) when there are fewer residuals than parameters,
/// or a start outside its range.
FitResult fit_least_squares(const ResidualFunction& residuals, std::size_t residual_count,
                            const std::vector<FitParameter>& parameters, const FitOptions& options = {});

}  // namespace roofplan::model
