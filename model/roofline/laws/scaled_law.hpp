#pragma once

#include "model/roofline/laws/attention_decode.hpp"
#include "model/roofline/laws/attention_prefill.hpp"
#include "model/roofline/laws/expert_gemm.hpp"
#include "model/roofline/laws/gemm.hpp"
#include "model/roofline/laws/mla.hpp"

namespace roofplan::model {

/// What a law takes over from a chip's datasheet.
struct LawChip {
  int sm_count = 1;
  BytesPerSecond memory_bandwidth = {};
  FlopPerSecond matrix_rate = {};  ///< dense, of the format of the law
  Bytes l2 = {};                   ///< zero where unknown: the L2 of the other chip per SM is taken
};

/// A law fitted on one chip, carried over to a chip of the same family without measurements: rates by the
/// ratio of the datasheets, rates and latencies of one SM kept but for the clock (matrix rate per SM), times
/// of launches kept. Structure (tiles, splits, kernel rules) is that of the family. An estimate: the caller
/// flags it and widens its range.
GemmLaw scaled_law(GemmLaw law, const LawChip& from, const LawChip& to);
AttentionDecodeLaw scaled_law(AttentionDecodeLaw law, const LawChip& from, const LawChip& to);
AttentionPrefillLaw scaled_law(AttentionPrefillLaw law, const LawChip& from, const LawChip& to);
MlaDecodeLaw scaled_law(MlaDecodeLaw law, const LawChip& from, const LawChip& to);
ExpertGemmLaw scaled_law(ExpertGemmLaw law, const LawChip& from, const LawChip& to);

}  // namespace roofplan::model
