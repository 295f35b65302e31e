#pragma once

#include "model/calibration/kernels/law_fit.hpp"
#include "model/roofline/laws/scaled_law.hpp"

#include <optional>
#include <string_view>
#include <vector>

namespace roofplan::model {

using MlaDecodePoint = KernelPoint<MlaDecodeShape>;
using MlaPrefillPoint = KernelPoint<MlaPrefillShape>;

/// Fits "mla_decode/<format>". Chips whose kernels have no 8-bit cache read 16 bits whatever the cache is
/// said to be: the fit tries both.
std::optional<CalibratedLaw> fit_mla_decode(std::string_view kv_format, const LawChip& chip,
                                            const std::vector<MlaDecodePoint>& points);
std::optional<MlaDecodeLaw> mla_decode_law(const Calibration& calibration, std::string_view kv_format);

/// Fits "mla_prefill/<format>/<width>".
std::vector<CalibratedLaw> fit_mla_prefill(std::string_view kv_format, const LawChip& chip,
                                           const std::vector<MlaPrefillPoint>& points);
std::optional<AttentionPrefillLaw> mla_prefill_law(const Calibration& calibration,
                                                   std::string_view kv_format);

}  // namespace roofplan::model
