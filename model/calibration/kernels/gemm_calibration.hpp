#pragma once

#include "model/calibration/kernels/law_fit.hpp"
#include "model/roofline/laws/scaled_law.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace roofplan::model {

/// A number format of matrix products as tables of kernels name them.
struct GemmFormat {
  std::string name;  ///< "bfloat16", "fp8", "fp8_block", "nvfp4", "int8_wo", "int4_wo", "sq"
  std::string rate;  ///< of the arithmetic, as in Chip::dense_rate
  double weight_bytes, input_bytes;
  bool quantises;
  bool vector_kernel = false;  ///< the library has a matrix-vector kernel for few rows
};

/// nullptr for a format without a law.
const GemmFormat* find_gemm_format(std::string_view name);
const std::vector<GemmFormat>& gemm_formats();

using GemmPoint = KernelPoint<GemmShape>;

/// Fits "gemm/<format>"; nothing when there are too few points.
std::optional<CalibratedLaw> fit_gemm(const GemmFormat& format, const LawChip& chip,
                                      const std::vector<GemmPoint>& points);
/// The law of a calibration, or nothing where it has none for the format.
std::optional<GemmLaw> gemm_law(const Calibration& calibration, const GemmFormat& format);

}  // namespace roofplan::model
