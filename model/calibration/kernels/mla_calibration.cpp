#include "model/calibration/kernels/mla_calibration.hpp"

#include "model/calibration/kernels/attention_calibration.hpp"
#include "model/calibration/kernels/prefill_terms.hpp"
#include "model/calibration/kernels/split_kv_terms.hpp"

#include <fmt/format.h>

namespace roofplan::model {
namespace {

constexpr int kNarrowUpTo = 32;

std::vector<MlaDecodeLaw> mla_forms(std::string_view kv_format, int sm_count) {
  std::vector<MlaDecodeLaw> forms;
  std::vector<SplitKvKernel> kernels = split_kv_forms({64, 128}, {128, 256, 512});
  for (SplitKvKernel unsplit : split_kv_forms({64, 128}, {})) {
    for (const int cluster : {2, 4}) {
      unsplit.cluster = cluster;
      kernels.push_back(unsplit);
    }
  }
  std::vector<double> bytes{attention_bytes(kv_format).value_or(2.0)};
  if (bytes.front() < 2.0) bytes.push_back(2.0);
  for (const SplitKvKernel& kernel : kernels) {
    if (kernel.blocks_per_sm > 2) continue;
    for (const double b : bytes) {
      for (const int narrow : {0, kNarrowUpTo}) forms.push_back({sm_count, b, narrow, kernel});
    }
  }
  return forms;
}

std::vector<LawTerm<MlaDecodeLaw>> mla_terms(const MlaDecodeLaw& form, const LawChip& chip) {
  std::vector<LawTerm<MlaDecodeLaw>> out;
  for (auto& t : split_kv_terms(form.kernel, chip)) {
    out.push_back({t.name, t.unit, t.start, t.low, t.high,
                   [set = t.set](MlaDecodeLaw& law, double v) { set(law.kernel, v); }});
  }
  return out;
}

Seconds warm_time(const MlaDecodeShape& shape, const MlaDecodeLaw& law) {
  return mla_decode_time(shape, law, CacheState::warm);
}

std::string prefill_stem(std::string_view kv_format) {
  return fmt::format("mla_prefill/{}", kv_format);
}

}  // namespace

std::optional<CalibratedLaw> fit_mla_decode(std::string_view kv_format, const LawChip& chip,
                                            const std::vector<MlaDecodePoint>& points) {
  const auto terms = [&](const MlaDecodeLaw& form) { return mla_terms(form, chip); };
  const auto fitted = fit_law(mla_forms(kv_format, chip.sm_count), terms, points, warm_time);
  if (!fitted) return std::nullopt;
  auto choices = split_kv_choices(fitted->law.kernel);
  choices.emplace_back("sm_count", std::to_string(chip.sm_count));
  choices.emplace_back("narrow_block_up_to", std::to_string(fitted->law.narrow_block_up_to));
  choices.emplace_back("cache_bytes", fmt::format("{}", fitted->law.kv_bytes));
  return calibrated(fmt::format("mla_decode/{}", kv_format), *fitted, terms(fitted->law), std::move(choices));
}

std::optional<MlaDecodeLaw> mla_decode_law(const Calibration& calibration, std::string_view kv_format) {
  const CalibratedLaw* found = calibration.find(fmt::format("mla_decode/{}", kv_format));
  if (!found) return std::nullopt;
  const Choices choices(*found);
  return MlaDecodeLaw{choices.whole("sm_count"), static_cast<double>(choices.whole("cache_bytes")),
                      choices.whole("narrow_block_up_to"), split_kv_kernel(*found)};
}

std::vector<CalibratedLaw> fit_mla_prefill(std::string_view kv_format, const LawChip& chip,
                                           const std::vector<MlaPrefillPoint>& points) {
  constexpr double kOneWidth = 1.0;
  return fit_prefill_kernels(
      prefill_stem(kv_format),
      {.sm_count = chip.sm_count, .kv_bytes = attention_bytes(kv_format).value_or(2.0)}, chip, {256}, points,
      [](const MlaPrefillShape&) { return kOneWidth; }, mla_prefill_time);
}

std::optional<AttentionPrefillLaw> mla_prefill_law(const Calibration& calibration,
                                                   std::string_view kv_format) {
  return prefill_law(calibration, prefill_stem(kv_format),
                     {.kv_bytes = attention_bytes(kv_format).value_or(2.0)});
}

}  // namespace roofplan::model
