#include "model/calibration/kernels/prefill_terms.hpp"

#include <algorithm>
#include <charconv>

namespace roofplan::model {
namespace {

/// Wider heads leave room for a query tile of half the height only, in some kernels.
constexpr int kNeverHalved = 1024, kHalvedAbove = 128;

/// The last part of the name of the law.
int largest_head_dim(const CalibratedLaw& law) {
  const std::string width = law.law.substr(law.law.rfind('/') + 1);
  int value = 0;
  const auto [end, error] = std::from_chars(width.data(), width.data() + width.size(), value);
  if (error != std::errc() || end != width.data() + width.size()) {
    throw InputError(InputError::Kind::content, "the law " + law.law + " does not end in a head width");
  }
  return value;
}

}  // namespace

std::vector<LawTerm<PrefillKernel>> prefill_terms(const LawChip& chip) {
  using K = PrefillKernel;
  const double peak = chip.matrix_rate / unit::TFLOP_s, memory = chip.memory_bandwidth / unit::GB_s;
  return {microseconds("launch", &K::launch, 10, 2, 30),
          teraflops("matrix_rate", &K::matrix_rate, 0.7 * peak, 0.1 * peak, peak),
          term("exponentials_per_ns", &K::exponentials_per_ns, 25, 2, 400),
          gigabytes_per_second("io_rate", &K::io_rate, 0.6 * memory, 0.1 * memory, 1.5 * memory),
          microseconds("task_setup", &K::task_setup, 1, 0.02, 10),
          term("chain", &K::chain, 1.2, 0.5, 3),
          term("extra_window_tiles", &K::extra_window_tiles, 0.5, 0.01, 8),
          term("wave_smoothing", &K::wave_smoothing, 0.5, 0.01, 1)};
}

std::vector<PrefillKernel> prefill_forms(int largest_head_dim) {
  std::vector<PrefillKernel> forms;
  for (const int query : {64, 128, 256}) {
    for (const int kv : {64, 128}) {
      for (const int halved : {kNeverHalved, kHalvedAbove}) {
        if (kv > query || (halved == kHalvedAbove && (query == kv || largest_head_dim <= kHalvedAbove)))
          continue;
        forms.push_back({.largest_head_dim = largest_head_dim,
                         .query_tile = query,
                         .kv_tile = kv,
                         .halved_above = halved});
      }
    }
  }
  return forms;
}

std::vector<std::pair<std::string, std::string>> prefill_choices(const PrefillKernel& kernel, int sm_count) {
  std::vector<std::pair<std::string, std::string>> out{{"sm_count", std::to_string(sm_count)},
                                                       {"query_tile", std::to_string(kernel.query_tile)},
                                                       {"kv_tile", std::to_string(kernel.kv_tile)}};
  if (kernel.halved_above != kNeverHalved) {
    out.emplace_back("halved_above", std::to_string(kernel.halved_above));
  }
  return out;
}

PrefillKernel prefill_kernel(const CalibratedLaw& law) {
  const Choices choices(law);
  PrefillKernel kernel{
      .largest_head_dim = largest_head_dim(law),
      .query_tile = choices.whole("query_tile"),
      .kv_tile = choices.whole("kv_tile"),
      .halved_above = law.choice("halved_above").empty() ? kNeverHalved : choices.whole("halved_above")};
  read_values(kernel, prefill_terms({}), law);
  return kernel;
}

std::optional<AttentionPrefillLaw> prefill_law(const Calibration& calibration, const std::string& stem,
                                               AttentionPrefillLaw unfitted) {
  for (const CalibratedLaw& law : calibration.fit) {
    if (!law.law.starts_with(stem + "/")) continue;
    unfitted.sm_count = Choices(law).whole("sm_count");
    unfitted.kernels.push_back(prefill_kernel(law));
  }
  std::sort(unfitted.kernels.begin(), unfitted.kernels.end(),
            [](const auto& a, const auto& b) { return a.largest_head_dim < b.largest_head_dim; });
  return unfitted.kernels.empty() ? std::nullopt : std::optional(unfitted);
}

}  // namespace roofplan::model
