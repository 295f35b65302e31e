#pragma once

#include "model/calibration/kernels/choices.hpp"
#include "model/calibration/kernels/law_fit.hpp"
#include "model/roofline/laws/scaled_law.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace roofplan::model {

/// The parameters of a prefill kernel, with where a chip's datasheet lets them lie.
std::vector<LawTerm<PrefillKernel>> prefill_terms(const LawChip& chip);
std::vector<PrefillKernel> prefill_forms(int largest_head_dim);
std::vector<std::pair<std::string, std::string>> prefill_choices(const PrefillKernel& kernel, int sm_count);
PrefillKernel prefill_kernel(const CalibratedLaw& law);

/// The kernels "<stem>/<width>" of a calibration as one law, or nothing where there is none.
std::optional<AttentionPrefillLaw> prefill_law(const Calibration& calibration, const std::string& stem,
                                               AttentionPrefillLaw unfitted);

/// Fits a kernel "<stem>/<width>" for the points of each range of head widths that ends at one of `widths`.
template <class Shape, class Width, class Time>
std::vector<CalibratedLaw> fit_prefill_kernels(const std::string& stem, AttentionPrefillLaw law,
                                               const LawChip& chip, const std::vector<int>& widths,
                                               const std::vector<KernelPoint<Shape>>& points,
                                               const Width& width, const Time& time) {
  std::vector<CalibratedLaw> out;
  double above = 0.0;
  for (const int largest : widths) {
    std::vector<KernelPoint<Shape>> own;
    for (const auto& p : points) {
      if (width(p.shape) > above && width(p.shape) <= largest) own.push_back(p);
    }
    above = largest;
    const auto of_kernel = [&](const Shape& shape, const PrefillKernel& kernel) {
      law.kernels.assign(1, kernel);
      return time(shape, law);
    };
    const auto terms = prefill_terms(chip);
    const auto fitted = fit_law(
        prefill_forms(largest), [&](const PrefillKernel&) { return terms; }, own, of_kernel);
    if (fitted) {
      out.push_back(calibrated(stem + "/" + std::to_string(largest), *fitted, terms,
                               prefill_choices(fitted->law, law.sm_count)));
    }
  }
  return out;
}

}  // namespace roofplan::model
