#pragma once

#include "model/calibration/kernels/choices.hpp"
#include "model/calibration/kernels/law_terms.hpp"
#include "model/roofline/laws/scaled_law.hpp"

#include <string>
#include <utility>
#include <vector>

namespace roofplan::model {

/// The parameters of a form of SplitKvKernel, with where a chip's datasheet lets them lie.
std::vector<LawTerm<SplitKvKernel>> split_kv_terms(const SplitKvKernel& form, const LawChip& chip);

/// The discrete structures that kernels are tried with: every token tile, blocks per SM, heads per block and
/// split rule with its chunk.
std::vector<SplitKvKernel> split_kv_forms(const std::vector<int>& heads_per_block,
                                          const std::vector<int>& split_chunks);

/// The discrete structure as words, and back.
std::vector<std::pair<std::string, std::string>> split_kv_choices(const SplitKvKernel& kernel);
SplitKvKernel split_kv_kernel(const CalibratedLaw& law);

}  // namespace roofplan::model
