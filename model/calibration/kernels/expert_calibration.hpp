#pragma once

#include "model/calibration/kernels/law_fit.hpp"
#include "model/roofline/laws/scaled_law.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace roofplan::model {

/// A number format of routed experts as tables of kernels name them.
struct ExpertFormat {
  std::string name;  ///< "bfloat16", "fp8", "fp8_block", "nvfp4", "w4a8_mxfp4_mxfp8", "w4a16_mxfp4"
  std::string rate;  ///< of the arithmetic, as in Chip::dense_rate
  double weight_bytes;
  double input_bytes;  ///< of the tokens as the kernel reads them
};

/// nullptr for a format without a law.
const ExpertFormat* find_expert_format(std::string_view name);

/// Kernels of this name hold two matrices an expert.
inline constexpr std::string_view kNongatedKernel = "nongated";

/// This kernel routes by itself, and its benchmark let it choose among half of the groups of experts,
/// whatever the model (as the bytes read show: half of the experts where choices are balanced).
inline constexpr std::string_view kGroupRoutingKernel = "min_latency";

/// Load of the busiest rank for a distribution as tables name it: "balanced", "power_law_<exponent>",
/// "uniform". Nothing for another.
std::optional<ExpertLoad> load_of(std::string_view distribution, const RoutedLayer& layer);

using ExpertPoint = KernelPoint<ExpertGemmShape>;

/// Fits "experts/<format>/<kernel>".
std::optional<CalibratedLaw> fit_experts(const ExpertFormat& format, std::string_view kernel,
                                         const LawChip& chip, const std::vector<ExpertPoint>& points);
std::optional<ExpertGemmLaw> expert_law(const Calibration& calibration, const ExpertFormat& format,
                                        std::string_view kernel);

}  // namespace roofplan::model
