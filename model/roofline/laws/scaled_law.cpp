#include "model/roofline/laws/scaled_law.hpp"

namespace roofplan::model {
namespace {

struct Ratios {
  double memory, matrix, per_sm, l2;

  Ratios(const LawChip& from, const LawChip& to)
      : memory(to.memory_bandwidth / from.memory_bandwidth),
        matrix(to.matrix_rate / from.matrix_rate),
        per_sm(matrix * from.sm_count / to.sm_count),
        l2(from.l2.base() > 0 && to.l2.base() > 0 ? to.l2 / from.l2
                                                  : static_cast<double>(to.sm_count) / from.sm_count) {}
};

void scale(SplitKvKernel& kernel, const Ratios& by) {
  kernel.memory_rate *= by.memory;
  kernel.query_rate *= by.memory;
  kernel.l2_size *= by.l2;
  kernel.block_rate *= by.per_sm;
  kernel.matrix_tile *= 1.0 / by.per_sm;
}

/// What laws of products in tiles, plain and grouped, have in common.
template <class TiledLaw>
void scale_tiles(TiledLaw& law, const LawChip& to, const Ratios& by) {
  law.sm_count = to.sm_count;
  law.matrix_rate *= by.matrix;
  law.memory_rate *= by.memory;
  law.sm_rate *= by.per_sm;
  law.k_step *= 1.0 / by.per_sm;
  law.l2_size *= by.l2;
}

}  // namespace

GemmLaw scaled_law(GemmLaw law, const LawChip& from, const LawChip& to) {
  const Ratios by(from, to);
  scale_tiles(law, to, by);
  law.quantise_rate *= by.memory;
  law.vector_rate *= by.matrix;
  return law;
}

AttentionDecodeLaw scaled_law(AttentionDecodeLaw law, const LawChip& from, const LawChip& to) {
  const Ratios by(from, to);
  law.sm_count = to.sm_count;
  for (SplitKvKernel* kernel : {&law.equal_heads, &law.grouped, &law.per_head}) scale(*kernel, by);
  return law;
}

AttentionPrefillLaw scaled_law(AttentionPrefillLaw law, const LawChip& from, const LawChip& to) {
  const Ratios by(from, to);
  law.sm_count = to.sm_count;
  for (PrefillKernel& kernel : law.kernels) {
    kernel.matrix_rate *= by.matrix;
    kernel.exponentials_per_ns *= by.per_sm;
    kernel.io_rate *= by.memory;
  }
  return law;
}

MlaDecodeLaw scaled_law(MlaDecodeLaw law, const LawChip& from, const LawChip& to) {
  law.sm_count = to.sm_count;
  scale(law.kernel, Ratios(from, to));
  return law;
}

ExpertGemmLaw scaled_law(ExpertGemmLaw law, const LawChip& from, const LawChip& to) {
  scale_tiles(law, to, Ratios(from, to));
  return law;
}

}  // namespace roofplan::model
