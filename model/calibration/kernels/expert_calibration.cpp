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
          gigabytes_per_second("memory_rate", &L::memory_rate, 0.8 * memory, 0.1 * memory, memory),
          teraflops("matrix_rate", &L::matrix_rate, 0.6 * peak, 0.05 * peak, peak),
          term("tile_overhead", &L::tile_overhead, 8, 0.1, 200),
          term("depth_step", "ns", unit::ns, &L::depth_step, 1, 0.05, 12),
          term("routed_bytes", &L::routed_bytes, 16, 2, 200),
          term("token_bytes", &L::token_bytes, 0.3, 0.001, 100),
          term("per_local_expert", "ns", unit::ns, &L::per_local_expert, 50, 1, 400),
          term("per_distinct_expert", "ns", unit::ns, &L::per_distinct_expert, 20, 1, 600),
          microseconds("per_token_doubling", &L::per_token_doubling, 0.5, 0.01, 8)};
}

std::string expert_name(const ExpertFormat& format, std::string_view kernel) {
  return fmt::format("experts/{}/{}", format.name, kernel);
}

}  // namespace

const ExpertFormat* find_expert_format(std::string_view name) {
  static const std::vector<ExpertFormat> kFormats{{"bfloat16", "bf16", 2},
                                                  {"fp8", "fp8", 1},
                                                  {"fp8_block", "fp8", 1},
                                                  {"nvfp4", "nvfp4", 0.5625},
                                                  // Four bits and an 8-bit scale for 32 elements.
                                                  {"w4a8_mxfp4_mxfp8", "fp8", 0.53125},
                                                  {"w4a16_mxfp4", "bf16", 0.53125}};
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
  const std::vector<ExpertGemmLaw> forms{{.multiplies_all = false, .weight_bytes = format.weight_bytes},
                                         {.multiplies_all = true, .weight_bytes = format.weight_bytes}};
  const auto terms = expert_terms(chip);
  const auto fitted = fit_law(
      forms, [&](const ExpertGemmLaw&) { return terms; }, points, expert_gemm_time);
  if (!fitted) return std::nullopt;
  std::vector<std::pair<std::string, std::string>> choices;
  if (fitted->law.multiplies_all) choices.emplace_back("multiplies_all", yes_or_no(true));
  return calibrated(expert_name(format, kernel), *fitted, terms, std::move(choices));
}

std::optional<ExpertGemmLaw> expert_law(const Calibration& calibration, const ExpertFormat& format,
                                        std::string_view kernel) {
  const CalibratedLaw* found = calibration.find(expert_name(format, kernel));
  if (!found) return std::nullopt;
  ExpertGemmLaw law{.multiplies_all = Choices(*found).flag("multiplies_all"),
                    .weight_bytes = format.weight_bytes};
  read_values(law, expert_terms({}), *found);
  return law;
}

}  // namespace roofplan::model
