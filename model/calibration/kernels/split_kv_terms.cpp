#include "model/calibration/kernels/split_kv_terms.hpp"

namespace roofplan::model {
namespace {

constexpr Words<3> kRuleWords{"none", "whole chunks", "any chunks"};

/// An L2 of unknown size is taken as this much per SM, where the search starts.
constexpr double kL2MegabytesPerSm = 0.6;

}  // namespace

std::vector<LawTerm<SplitKvKernel>> split_kv_terms(const SplitKvKernel& form, const LawChip& chip) {
  using K = SplitKvKernel;
  const double memory = chip.memory_bandwidth / unit::GB_s;
  const double l2 = chip.l2.base() > 0 ? chip.l2 / unit::MB : kL2MegabytesPerSm * chip.sm_count;
  std::vector<LawTerm<K>> terms{
      microseconds("launch", &K::launch, 7, 1, 25),
      microseconds("block_setup", &K::block_setup, 1.5, 0.05, 10),
      gigabytes_per_second("memory_rate", &K::memory_rate, 0.88 * memory, 0.3 * memory, memory),
      gigabytes_per_second("block_rate", &K::block_rate, 60, 3, 900),
      gigabytes_per_second("query_rate", &K::query_rate, 0.5 * memory, 0.05 * memory, 10 * memory),
      microseconds("matrix_tile", &K::matrix_tile, 0.1, 0.004, 8),
      term("l2_size", "MB", unit::MB, &K::l2_size, 0.8 * l2, 0.15 * l2, 2 * l2),
      term("l2_gain", &K::l2_gain, 1.5, 1, 4),
      term("wave_smoothing", &K::wave_smoothing, 0.5, 0.01, 1)};
  if (form.rule != SplitRule::none) {
    terms.push_back(microseconds("reduction", &K::reduction, 0.5, 0.01, 4));
    terms.push_back(microseconds("empty_block", &K::empty_block, 1, 0.02, 5));
  }
  return terms;
}

std::vector<SplitKvKernel> split_kv_forms(const std::vector<int>& heads_per_block,
                                          const std::vector<int>& split_chunks) {
  std::vector<SplitKvKernel> forms;
  for (const int tile : {16, 64, 128}) {
    for (const int blocks : {1, 2, 4}) {
      for (const int heads : heads_per_block) {
        SplitKvKernel form{.token_tile = tile, .blocks_per_sm = blocks, .heads_per_block = heads};
        form.rule = SplitRule::none;
        forms.push_back(form);
        for (const SplitRule rule : {SplitRule::whole_chunks, SplitRule::any_chunks}) {
          for (const int chunk : split_chunks) {
            for (const int wanted : {1, 2, 8}) {
              form.rule = rule;
              form.split_chunk = chunk;
              form.split_waves = wanted;
              forms.push_back(form);
            }
          }
        }
      }
    }
  }
  return forms;
}

std::vector<std::pair<std::string, std::string>> split_kv_choices(const SplitKvKernel& kernel) {
  std::vector<std::pair<std::string, std::string>> out{
      {"token_tile", std::to_string(kernel.token_tile)},
      {"blocks_per_sm", std::to_string(kernel.blocks_per_sm)},
      {"heads_per_block", std::to_string(kernel.heads_per_block)},
      {"split", word(kRuleWords, kernel.rule)}};
  if (kernel.cluster > 1) out.emplace_back("cluster", std::to_string(kernel.cluster));
  if (kernel.rule != SplitRule::none) {
    out.emplace_back("split_chunk", std::to_string(kernel.split_chunk));
    out.emplace_back("split_waves", std::to_string(kernel.split_waves));
  }
  return out;
}

SplitKvKernel split_kv_kernel(const CalibratedLaw& law) {
  const Choices choices(law);
  SplitKvKernel kernel{.token_tile = choices.whole("token_tile"),
                       .blocks_per_sm = choices.whole("blocks_per_sm"),
                       .heads_per_block = choices.whole("heads_per_block"),
                       .cluster = law.choice("cluster").empty() ? 1 : choices.whole("cluster"),
                       .rule = choices.one_of<SplitRule>("split", kRuleWords)};
  if (kernel.rule != SplitRule::none) {
    kernel.split_chunk = choices.whole("split_chunk");
    kernel.split_waves = choices.whole("split_waves");
  }
  read_values(kernel, split_kv_terms(kernel, {}), law);
  return kernel;
}

}  // namespace roofplan::model
