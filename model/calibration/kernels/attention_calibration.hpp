#pragma once

#include "model/calibration/kernels/law_fit.hpp"
#include "model/roofline/laws/scaled_law.hpp"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace roofplan::model {

using AttentionDecodePoint = KernelPoint<AttentionDecodeShape>;
using AttentionPrefillPoint = KernelPoint<AttentionPrefillShape>;

/// Bytes of one element of "bfloat16", "float16" or "fp8" in attention, or nothing.
std::optional<double> attention_bytes(std::string_view format);

/// Fits the kernels of decode attention, "attention_decode/<format>/<path>", and finds which rule chooses
/// between them. A path with too few points is left out.
std::vector<CalibratedLaw> fit_attention_decode(std::string_view kv_format, const LawChip& chip,
                                                const std::vector<AttentionDecodePoint>& points);
/// The law of a calibration, or nothing where it has no grouped kernel for the format. A path without a
/// kernel of its own takes the grouped one.
std::optional<AttentionDecodeLaw> attention_decode_law(const Calibration& calibration,
                                                       std::string_view kv_format);
/// range_factor() of the law that answers on each path.
std::array<double, 3> attention_decode_ranges(const Calibration& calibration, std::string_view kv_format);

/// Fits "attention_prefill/<queries>/<cache>/<largest head width>": one kernel for head widths that one set
/// of parameters describes, on chips with `per_width` one for each.
std::vector<CalibratedLaw> fit_attention_prefill(std::string_view format, std::string_view kv_format,
                                                 const LawChip& chip, bool per_width,
                                                 const std::vector<AttentionPrefillPoint>& points);
std::optional<AttentionPrefillLaw> attention_prefill_law(const Calibration& calibration,
                                                         std::string_view format, std::string_view kv_format);

}  // namespace roofplan::model
