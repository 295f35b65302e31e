#pragma once

#include "model/calibration/kernels/law_terms.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

namespace roofplan::model {

/// One measured launch.
template <class Shape>
struct KernelPoint {
  Shape shape;
  Seconds time;
};

template <class Law>
struct FittedLaw {
  Law law;
  FitResult fit;
  ErrorStatistics residuals;
};

/// Fits of kernels bend to points in another state (an untuned kernel) from about this relative error on.
inline constexpr double kKernelLossScale = 0.05;

template <class Law, class Shape, class Time>
FitResult fit_form(const Law& form, const std::vector<LawTerm<Law>>& terms,
                   const std::vector<KernelPoint<Shape>>& points, const Time& time, int iterations) {
  const ResidualFunction residuals = [&](std::span<const double> values, std::span<double> out) {
    const Law law = with_values(form, terms, values);
    for (std::size_t i = 0; i < points.size(); ++i) {
      out[i] = std::log(time(points[i].shape, law) / points[i].time);
    }
  };
  return fit_least_squares(
      residuals, points.size(), fit_parameters(terms),
      {.loss_scale = kKernelLossScale, .screened = 0, .starts = 1, .max_iterations = iterations});
}

template <class Law, class Shape, class Time>
ErrorStatistics law_errors(const Law& law, const std::vector<KernelPoint<Shape>>& points, const Time& time) {
  std::vector<double> ratios;
  for (const auto& point : points) ratios.push_back(time(point.shape, law) / point.time);
  return error_statistics(ratios);
}

/// The best of several laws that differ in discrete structure. All are tried on a sample of the points with
/// few iterations, the best few on all points. `terms_of(form)` lists the parameters of a form. Nothing
/// when there are fewer than twice as many points as parameters.
template <class Law, class Shape, class TermsOf, class Time>
std::optional<FittedLaw<Law>> fit_law(const std::vector<Law>& forms, const TermsOf& terms_of,
                                      const std::vector<KernelPoint<Shape>>& points, const Time& time) {
  constexpr std::size_t kSample = 700, kFinalists = 6;
  constexpr int kFewIterations = 10, kManyIterations = 60;
  std::vector<KernelPoint<Shape>> sample;
  const std::size_t stride = std::max<std::size_t>(1, points.size() / kSample);
  for (std::size_t i = 0; i < points.size(); i += stride) sample.push_back(points[i]);

  std::vector<std::pair<double, const Law*>> ranking;
  for (const Law& form : forms) {
    const auto terms = terms_of(form);
    if (points.size() < 2 * terms.size() || sample.size() < terms.size()) return std::nullopt;
    const bool choose = forms.size() > kFinalists;
    ranking.emplace_back(choose ? fit_form(form, terms, sample, time, kFewIterations).loss : 0.0, &form);
  }
  std::stable_sort(ranking.begin(), ranking.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::optional<FittedLaw<Law>> best;
  for (std::size_t i = 0; i < std::min(kFinalists, ranking.size()); ++i) {
    const Law& form = *ranking[i].second;
    const auto terms = terms_of(form);
    FitResult fit = fit_form(form, terms, points, time, kManyIterations);
    if (best && best->fit.loss <= fit.loss) continue;
    best = FittedLaw<Law>{with_values(form, terms, fit.values()), std::move(fit), {}};
  }
  if (best) best->residuals = law_errors(best->law, points, time);
  return best;
}

/// The factor up and down that holds about 80 % of what a law was fitted to: between the median and the
/// ninetieth percentile of its residuals, as for errors that fall off exponentially.
inline double range_factor(const ErrorStatistics& residuals) {
  return 1.0 + 0.4 * residuals.median_ape + 0.6 * residuals.p90_ape;
}

/// The law as the calibration file keeps it.
template <class Law>
CalibratedLaw calibrated(std::string name, const FittedLaw<Law>& fitted,
                         const std::vector<LawTerm<Law>>& terms,
                         std::vector<std::pair<std::string, std::string>> choices) {
  CalibratedLaw out{.law = std::move(name), .choices = std::move(choices), .residuals = fitted.residuals};
  out.add(fitted.fit, units_of(terms));
  return out;
}

}  // namespace roofplan::model
