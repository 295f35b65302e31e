#include "model/calibration/machine_range.hpp"

#include "model/calibration/range_fit.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace roofplan::model {
namespace {

constexpr std::size_t kFewestLayers = 9;  // the least n with ranks 0.1 (n + 1) and 0.9 (n + 1) inside
constexpr double kMostError = 0.9;        // of a fit, so that a time stays above zero

/// What the fits leave, as factors of measured over predicted; 1 where no fit has residuals.
ErrorRange range_of_fits(const Calibration& calibration) {
  ErrorRange out;
  for (const CalibratedLaw& law : calibration.fit) {
    const bool of_step = law.law.starts_with("machine/product/") || law.law.starts_with("machine/attention/");
    if (!of_step || law.residuals.n == 0) continue;
    const double error = std::min(law.residuals.p90_ape, kMostError);
    out = {std::min(out.low, 1 / (1 + error)), std::max(out.high, 1 / (1 - error)), out.n + law.residuals.n};
  }
  return out;
}

}  // namespace

std::optional<ErrorRange> machine_range(const Calibration& calibration) {
  if (!calibration.device.measured_here()) return std::nullopt;
  std::vector<double> ratios;
  for (const ReplayResult& r : calibration.replay) {
    if (r.devices == 1 && r.measured_s > 0 && r.predicted_s > 0)
      ratios.push_back(r.measured_s / r.predicted_s);
  }
  const ErrorRange fits = range_of_fits(calibration);
  if (ratios.empty()) return fits.n > 0 ? std::optional(ErrorRange{fits.low, fits.high, 0}) : std::nullopt;
  ErrorRange out = range_of(std::move(ratios));
  if (out.n < kFewestLayers) out = {std::min(out.low, fits.low), std::max(out.high, fits.high), out.n};
  return out;
}

}  // namespace roofplan::model
