#include "model/calibration/kernels/expert_calibration.hpp"

#include "model/calibration/kernels/choices.hpp"

#include <fmt/format.h>

#include <charconv>

namespace roofplan::model {
namespace {

std::vector<LawTerm<ExpertGemmLaw>> expert_terms(const LawChip& chip) {
  using L = ExpertGemmLaw;
  const double peak = chip.matrix_rate / unit::TFLOP_s, memory = chip.memory_bandwidth / unit::GB_s;
  return {microseconds("launch", &L::launch, 15, 2, 80),
          gigabytes_per_second("memory_rate", &L::memory_rate, 0.8 * memory, 0.1 * memory, 0.93 * memory),
          teraflops("matrix_rate", &L::matrix_rate, 0.6 * peak, 0.05 * peak, peak),
          gigabytes_per_second("sm_rate", &L::sm_rate, 150, 10, 600),
          microseconds("tile_setup", &L::tile_setup, 0.7, 0.1, 20),
          term("k_step", "ns", unit::ns, &L::k_step, 0.7, 0.02, 12),
          term("routed_bytes", &L::routed_bytes, 16, 2, 200),
          term("token_bytes", &L::token_bytes, 0.3, 0.001, 100),
          term("per_local_expert", "ns", unit::ns, &L::per_local_expert, 50, 1, 400),
          microseconds("per_token_doubling", &L::per_token_doubling, 0.5, 0.01, 8)};
}

LawTerm<ExpertGemmLaw> l2_term(const LawChip& chip) {
  const double l2 = chip.l2 / unit::MB;
  return term("l2_size", "MB", unit::MB, &ExpertGemmLaw::l2_size, 0.9 * l2, 0.2 * l2, 1.6 * l2);
}

ExpertGemmLaw unfitted(const ExpertFormat& format, int sm_count) {
  return {.sm_count = sm_count, .weight_bytes = format.weight_bytes, .input_bytes = format.input_bytes};
}

std::string expert_name(const ExpertFormat& format, std::string_view kernel) {
  return fmt::format("experts/{}/{}", format.name, kernel);
}

}  // namespace

const ExpertFormat* find_expert_format(std::string_view name) {
  static const std::vector<ExpertFormat> kFormats{{"bfloat16", "bf16", 2, 2},
                                                  {"fp8", "fp8", 1, 1},
                                                  {"fp8_block", "fp8", 1, 1},
                                                  {"nvfp4", "nvfp4", 0.5625, 0.5625},
                                                  // Four bits and an 8-bit scale for 32 elements.
                                                  {"w4a8_mxfp4_mxfp8", "fp8", 0.53125, 1},
                                                  {"w4a16_mxfp4", "bf16", 0.53125, 2}};
  for (const ExpertFormat& format : kFormats) {
    if (format.name == name) return &format;
  }
  return nullptr;
}

std::optional<ExpertLoad> load_of(std::string_view distribution, const RoutedLayer& layer) {
  if (distribution == "balanced") return balanced_load(layer);
  if (distribution == "uniform") return uniform_load(layer);
  constexpr std::string_view kPowerLaw = "power_law_";
  if (!distribution.starts_with(kPowerLaw)) return std::nullopt;
  const std::string_view number = distribution.substr(kPowerLaw.size());
  double exponent = 0.0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), exponent);
  if (error != std::errc() || end != number.data() + number.size() || exponent <= 0.0 || exponent == 1.0) {
    return std::nullopt;
  }
  return power_law_load(layer, exponent);
}

std::optional<CalibratedLaw> fit_experts(const ExpertFormat& format, std::string_view kernel,
                                         const LawChip& chip, const std::vector<ExpertPoint>& points) {
  const ExpertGemmLaw routed = unfitted(format, chip.sm_count);
  ExpertGemmLaw all = routed;
  all.multiplies_all = true;
  auto terms = expert_terms(chip);
  if (chip.l2 > Bytes()) terms.push_back(l2_term(chip));
  const auto fitted = fit_law(
      std::vector{routed, all}, [&](const ExpertGemmLaw&) { return terms; }, points,
      [](const ExpertGemmShape& shape, const ExpertGemmLaw& law) {
        return expert_gemm_time(shape, law, CacheState::warm);
      });
  if (!fitted) return std::nullopt;
  std::vector<std::pair<std::string, std::string>> choices{{"sm_count", std::to_string(chip.sm_count)}};
  if (fitted->law.multiplies_all) choices.emplace_back("multiplies_all", yes_or_no(true));
  return calibrated(expert_name(format, kernel), *fitted, terms, std::move(choices));
}

std::optional<ExpertGemmLaw> expert_law(const Calibration& calibration, const ExpertFormat& format,
                                        std::string_view kernel) {
  const CalibratedLaw* found = calibration.find(expert_name(format, kernel));
  if (!found) return std::nullopt;
  const Choices choices(*found);
  ExpertGemmLaw law = unfitted(format, choices.whole("sm_count"));
  law.multiplies_all = choices.flag("multiplies_all");
  auto terms = expert_terms({});
  terms.push_back(l2_term({}));
  read_values(law, terms, *found);
  return law;
}

}  // namespace roofplan::model
