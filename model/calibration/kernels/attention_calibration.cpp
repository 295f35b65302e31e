#include "model/calibration/kernels/attention_calibration.hpp"

#include "model/calibration/kernels/prefill_terms.hpp"
#include "model/calibration/kernels/split_kv_terms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <map>

namespace roofplan::model {
namespace {

constexpr Words<3> kPathWords{"equal_heads", "grouped", "per_head"};
constexpr std::array kPaths{DecodePath::equal_heads, DecodePath::grouped, DecodePath::per_head};

std::string decode_name(std::string_view kv_format, DecodePath path) {
  return fmt::format("attention_decode/{}/{}", kv_format, word(kPathWords, path));
}

SplitKvKernel& kernel_of(AttentionDecodeLaw& law, DecodePath path) {
  return path == DecodePath::equal_heads ? law.equal_heads
                                         : (path == DecodePath::grouped ? law.grouped : law.per_head);
}

/// A way to share the launches between the three kernels, and what it leaves unexplained.
struct DecodeFit {
  AttentionDecodeLaw rule;
  std::array<std::optional<FittedLaw<SplitKvKernel>>, 3> kernels;
  double loss = std::numeric_limits<double>::infinity();
};

std::vector<AttentionDecodePoint> points_of(const AttentionDecodeLaw& rule, DecodePath path,
                                            const std::vector<AttentionDecodePoint>& points) {
  std::vector<AttentionDecodePoint> own;
  std::copy_if(points.begin(), points.end(), std::back_inserter(own),
               [&](const AttentionDecodePoint& p) { return rule.path(p.shape) == path; });
  return own;
}

std::optional<FittedLaw<SplitKvKernel>> fit_path(const AttentionDecodeLaw& rule, DecodePath path,
                                                 const LawChip& chip,
                                                 const std::vector<AttentionDecodePoint>& own) {
  AttentionDecodeLaw law = rule;
  const auto time = [&](const AttentionDecodeShape& shape, const SplitKvKernel& kernel) {
    kernel_of(law, path) = kernel;
    return attention_decode_time(shape, law, CacheState::warm);
  };
  const std::vector<int> heads = path == DecodePath::grouped ? std::vector{16, 64} : std::vector{64};
  return fit_law(
      split_kv_forms(heads, {64, 128, 256}), [&](const SplitKvKernel& f) { return split_kv_terms(f, chip); },
      own, time);
}

/// Fits each path under each rule; a path that a rule does not change is fitted once.
DecodeFit best_decode_fit(const AttentionDecodeLaw& unfitted, const LawChip& chip,
                          const std::vector<AttentionDecodePoint>& points) {
  std::map<std::pair<DecodePath, std::size_t>, std::optional<FittedLaw<SplitKvKernel>>> known;
  DecodeFit best;
  for (const auto& [grouped, equal] : {std::pair(false, false), {true, false}, {false, true}, {true, true}}) {
    DecodeFit fit{unfitted, {}, 0.0};
    fit.rule.few_blocks_grouped = grouped;
    fit.rule.few_blocks_equal = equal;
    for (const DecodePath path : kPaths) {
      const auto own = points_of(fit.rule, path, points);
      const auto [entry, fresh] = known.try_emplace({path, own.size()});
      if (fresh) entry->second = fit_path(fit.rule, path, chip, own);
      fit.kernels[static_cast<std::size_t>(path)] = entry->second;
      // Points without a kernel of their own count as badly predicted.
      fit.loss += static_cast<double>(own.size()) * (entry->second ? entry->second->fit.loss : 10.0);
    }
    if (fit.loss < best.loss) best = std::move(fit);
  }
  return best;
}

}  // namespace

std::optional<double> attention_bytes(std::string_view format) {
  if (format == "bfloat16" || format == "float16") return 2.0;
  if (format == "fp8") return 1.0;
  return std::nullopt;
}

std::vector<CalibratedLaw> fit_attention_decode(std::string_view kv_format, const LawChip& chip,
                                                const std::vector<AttentionDecodePoint>& points) {
  const DecodeFit best = best_decode_fit(
      {.sm_count = chip.sm_count, .kv_bytes = attention_bytes(kv_format).value_or(2.0)}, chip, points);
  std::vector<CalibratedLaw> out;
  for (const DecodePath path : kPaths) {
    const auto& fitted = best.kernels[static_cast<std::size_t>(path)];
    if (!fitted) continue;
    auto choices = split_kv_choices(fitted->law);
    choices.emplace_back("sm_count", std::to_string(chip.sm_count));
    if (path != DecodePath::per_head) {
      choices.emplace_back(
          "few_blocks_rule",
          yes_or_no(path == DecodePath::grouped ? best.rule.few_blocks_grouped : best.rule.few_blocks_equal));
    }
    out.push_back(calibrated(decode_name(kv_format, path), *fitted, split_kv_terms(fitted->law, chip),
                             std::move(choices)));
  }
  return out;
}

std::optional<AttentionDecodeLaw> attention_decode_law(const Calibration& calibration,
                                                       std::string_view kv_format) {
  const CalibratedLaw* grouped = calibration.find(decode_name(kv_format, DecodePath::grouped));
  const auto bytes = attention_bytes(kv_format);
  if (!grouped || !bytes) return std::nullopt;
  AttentionDecodeLaw law{.sm_count = Choices(*grouped).whole("sm_count"),
                         .kv_bytes = *bytes,
                         .few_blocks_grouped = Choices(*grouped).flag("few_blocks_rule")};
  law.equal_heads = law.grouped = law.per_head = split_kv_kernel(*grouped);
  if (const CalibratedLaw* found = calibration.find(decode_name(kv_format, DecodePath::equal_heads))) {
    law.equal_heads = split_kv_kernel(*found);
    law.few_blocks_equal = Choices(*found).flag("few_blocks_rule");
  }
  if (const CalibratedLaw* found = calibration.find(decode_name(kv_format, DecodePath::per_head))) {
    law.per_head = split_kv_kernel(*found);
  }
  return law;
}

std::array<double, 3> attention_decode_ranges(const Calibration& calibration, std::string_view kv_format) {
  std::array<double, 3> out{};
  for (const DecodePath path : kPaths) {
    const CalibratedLaw* own = calibration.find(decode_name(kv_format, path));
    if (!own) own = &calibration.at(decode_name(kv_format, DecodePath::grouped));
    out[static_cast<std::size_t>(path)] = range_factor(own->residuals);
  }
  return out;
}

std::vector<CalibratedLaw> fit_attention_prefill(std::string_view format, std::string_view kv_format,
                                                 const LawChip& chip, bool per_width,
                                                 const std::vector<AttentionPrefillPoint>& points) {
  const AttentionPrefillLaw unfitted{.sm_count = chip.sm_count,
                                     .input_bytes = attention_bytes(format).value_or(2.0),
                                     .kv_bytes = attention_bytes(kv_format).value_or(2.0)};
  return fit_prefill_kernels(
      fmt::format("attention_prefill/{}/{}", format, kv_format), unfitted, chip,
      per_width ? std::vector{64, 128, 192, 256} : std::vector{256, 512}, points,
      [](const AttentionPrefillShape& shape) { return shape.head_dim; }, attention_prefill_time);
}

std::optional<AttentionPrefillLaw> attention_prefill_law(const Calibration& calibration,
                                                         std::string_view format,
                                                         std::string_view kv_format) {
  const auto query = attention_bytes(format), cache = attention_bytes(kv_format);
  if (!query || !cache) return std::nullopt;
  return prefill_law(calibration, fmt::format("attention_prefill/{}/{}", format, kv_format),
                     {.input_bytes = *query, .kv_bytes = *cache});
}

}  // namespace roofplan::model
