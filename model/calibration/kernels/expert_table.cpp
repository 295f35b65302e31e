#include "model/calibration/kernels/expert_table.hpp"

#include "model/calibration/kernels/expert_calibration.hpp"
#include "model/calibration/kernels/kernel_chip.hpp"

namespace roofplan::model {
namespace {

using Table = KernelTable<ExpertGemmShape>;

ExpertGemmShape shape_of(const KernelRow& row) {
  const RoutedLayer layer{row.number("tokens"), row.number("topk"), row.number("experts"), row.number("ep")};
  const std::string& distribution = row.text("distribution");
  ExpertLoad load = load_of(distribution, layer).value_or(ExpertLoad{});
  if (row.text("kernel") == kGroupRoutingKernel)
    load = group_limited_load(load, layer, distribution == "balanced");
  return {.tokens = layer.tokens,
          .top_k = layer.top_k,
          .hidden = row.number("hidden"),
          .inner = row.number("inter") / row.number("tp"),
          .local_experts = layer.experts / layer.ranks,
          .gated = row.text("kernel") != kNongatedKernel,
          .load = load};
}

std::string obstacle(const KernelRow& row) {
  const std::string& distribution = row.text("distribution");
  return load_of(distribution, {})
             ? ""
             : fmt::format("unknown distribution of tokens over experts: {}", distribution);
}

/// "nvfp4/cutlass" -> the format and the kernel.
std::pair<const ExpertFormat*, std::string> format_and_kernel(const std::string& variant) {
  const std::size_t slash = variant.find('/');
  return {find_expert_format(variant.substr(0, slash)), variant.substr(slash + 1)};
}

Table::Model model_of(const Calibration& calibration, const std::string& variant) {
  const auto [format, kernel] = format_and_kernel(variant);
  const auto law = format ? expert_law(calibration, *format, kernel) : std::nullopt;
  if (!law) return {};
  const double spread = range_factor(calibration.at("experts/" + variant).residuals);
  return [law = *law, spread](const ExpertGemmShape& shape) {
    return KernelPrediction{expert_gemm_time(shape, law, CacheState::warm), spread};
  };
}

std::vector<CalibratedLaw> fit(const DataFiles& files, const std::string& system, const std::string& variant,
                               const std::vector<ExpertPoint>& points) {
  const auto [format, kernel] = format_and_kernel(variant);
  const auto chip = format ? kernel_chip(files, system, format->rate) : std::nullopt;
  auto law = chip ? fit_experts(*format, kernel, *chip, points) : std::nullopt;
  return law ? std::vector{std::move(*law)} : std::vector<CalibratedLaw>{};
}

}  // namespace

Table expert_table() {
  Table kind;
  kind.name = "routed experts";
  kind.columns = {"system",  "dtype", "tokens", "hidden",       "inter",  "topk",
                  "experts", "tp",    "ep",     "distribution", "kernel", "latency_ms"};
  kind.variant = [](const KernelRow& row) { return row.text("dtype") + "/" + row.text("kernel"); };
  kind.shape = shape_of;
  kind.obstacle = obstacle;
  kind.operation = [](const std::string& variant, const ExpertGemmShape&) { return "experts/" + variant; };
  kind.model = model_of;
  kind.fit = fit;
  return kind;
}

}  // namespace roofplan::model
