#include "model/calibration/kernels/kernel_layouts.hpp"

#include "model/calibration/kernels/attention_calibration.hpp"
#include "model/calibration/kernels/expert_table.hpp"
#include "model/calibration/kernels/gemm_calibration.hpp"
#include "model/calibration/kernels/kernel_chip.hpp"
#include "model/calibration/kernels/kernel_table.hpp"
#include "model/calibration/kernels/mla_calibration.hpp"

namespace roofplan::model {
namespace {

using Laws = std::vector<CalibratedLaw>;

/// "a/b" -> {"a", "b"}.
std::pair<std::string, std::string> halves(const std::string& text) {
  const std::size_t slash = text.find('/');
  return {text.substr(0, slash), slash == std::string::npos ? "" : text.substr(slash + 1)};
}

Laws as_list(std::optional<CalibratedLaw> law) {
  return law ? Laws{std::move(*law)} : Laws{};
}

/// Largest range of the laws whose name starts with `stem`.
double widest_range(const Calibration& calibration, const std::string& stem) {
  double widest = 1.0;
  for (const CalibratedLaw& law : calibration.fit) {
    if (law.law.starts_with(stem)) widest = std::max(widest, range_factor(law.residuals));
  }
  return widest;
}

KernelTable<GemmShape> gemm_table() {
  constexpr double kWide = 1024;
  KernelTable<GemmShape> kind;
  kind.name = "matrix products";
  kind.columns = {"system", "dtype", "m", "n", "k", "latency_ms"};
  kind.variant = [](const KernelRow& row) { return row.text("dtype"); };
  kind.shape = [](const KernelRow& row) {
    return GemmShape{row.number("m"), row.number("n"), row.number("k")};
  };
  kind.operation = [](const std::string& variant, const GemmShape& shape) {
    const bool wide = shape.n >= kWide && shape.k >= kWide;
    return fmt::format("gemm/{} {}", variant, wide ? "n and k >= 1024" : "n or k < 1024");
  };
  kind.model = [](const Calibration& c, const std::string& variant) -> KernelTable<GemmShape>::Model {
    const GemmFormat* format = find_gemm_format(variant);
    const auto law = format ? gemm_law(c, *format) : std::nullopt;
    if (!law) return {};
    const double spread = range_factor(c.at("gemm/" + variant).residuals);
    return [law = *law, spread](const GemmShape& s) {
      return KernelPrediction{gemm_time(s, law, CacheState::warm), spread};
    };
  };
  kind.fit = [](const DataFiles& files, const std::string& system, const std::string& variant,
                const std::vector<GemmPoint>& points) {
    const GemmFormat* format = find_gemm_format(variant);
    const auto chip = format ? kernel_chip(files, system, format->rate) : std::nullopt;
    return chip ? as_list(fit_gemm(*format, *chip, points)) : Laws{};
  };
  return kind;
}

KernelTable<AttentionDecodeShape> decode_table() {
  using Table = KernelTable<AttentionDecodeShape>;
  Table kind;
  kind.name = "decode attention";
  kind.columns = {"system",   "batch",  "kv_len",     "heads",    "kv_heads",
                  "head_dim", "window", "attn_dtype", "kv_dtype", "latency_ms"};
  kind.variant = [](const KernelRow& row) { return row.text("kv_dtype"); };
  kind.shape = [](const KernelRow& row) {
    return AttentionDecodeShape{row.number("batch"),    row.number("kv_len", 0), row.number("heads"),
                                row.number("kv_heads"), row.number("head_dim"),  row.number("window", 0)};
  };
  kind.operation = [](const std::string& variant, const AttentionDecodeShape&) {
    return "attention_decode/" + variant;
  };
  kind.model = [](const Calibration& c, const std::string& variant) -> Table::Model {
    const auto law = attention_decode_law(c, variant);
    if (!law) return {};
    const std::array spread = attention_decode_ranges(c, variant);
    return [law = *law, spread](const AttentionDecodeShape& s) {
      return KernelPrediction{attention_decode_time(s, law, CacheState::warm),
                              spread[static_cast<std::size_t>(law.path(s))]};
    };
  };
  kind.fit = [](const DataFiles& files, const std::string& system, const std::string& variant,
                const std::vector<AttentionDecodePoint>& points) {
    const auto chip = attention_bytes(variant) ? kernel_chip(files, system, "bf16") : std::nullopt;
    return chip ? fit_attention_decode(variant, *chip, points) : Laws{};
  };
  return kind;
}

/// Consumer chips run a kernel of its own for each head width.
bool kernel_per_width(const std::string& system) {
  return system.starts_with("rtx");
}

KernelTable<AttentionPrefillShape> prefill_table() {
  using Table = KernelTable<AttentionPrefillShape>;
  Table kind;
  kind.name = "prefill attention";
  kind.columns = {"system",   "batch",  "isl",        "heads",    "kv_heads",
                  "head_dim", "window", "attn_dtype", "kv_dtype", "latency_ms"};
  kind.variant = [](const KernelRow& row) { return row.text("attn_dtype") + "/" + row.text("kv_dtype"); };
  kind.shape = [](const KernelRow& row) {
    return AttentionPrefillShape{.batch = row.number("batch"),
                                 .tokens = row.number("isl"),
                                 .heads = row.number("heads"),
                                 .kv_heads = row.number("kv_heads"),
                                 .head_dim = row.number("head_dim"),
                                 .window = row.number("window", 0)};
  };
  kind.operation = [](const std::string& variant, const AttentionPrefillShape&) {
    return "attention_prefill/" + variant;
  };
  kind.model = [](const Calibration& c, const std::string& variant) -> Table::Model {
    const auto [format, kv_format] = halves(variant);
    const auto law = attention_prefill_law(c, format, kv_format);
    if (!law) return {};
    const std::string stem = "attention_prefill/" + variant + "/";
    std::map<int, double> spread;
    for (const PrefillKernel& k : law->kernels) {
      spread[k.largest_head_dim] = widest_range(c, stem + std::to_string(k.largest_head_dim));
    }
    return [law = *law, spread](const AttentionPrefillShape& s) {
      return KernelPrediction{attention_prefill_time(s, law),
                              spread.at(law.kernel(s.head_dim).largest_head_dim)};
    };
  };
  kind.fit = [](const DataFiles& files, const std::string& system, const std::string& variant,
                const std::vector<AttentionPrefillPoint>& points) {
    const auto [format, kv_format] = halves(variant);
    const bool known = attention_bytes(format) && attention_bytes(kv_format);
    const auto chip = known ? kernel_chip(files, system, format == "fp8" ? "fp8" : "bf16") : std::nullopt;
    return chip ? fit_attention_prefill(format, kv_format, *chip, kernel_per_width(system), points) : Laws{};
  };
  return kind;
}

KernelTable<MlaDecodeShape> mla_decode_table() {
  using Table = KernelTable<MlaDecodeShape>;
  Table kind;
  kind.name = "decode of latent attention";
  kind.columns = {"system", "batch", "kv_len", "heads", "dtype", "kv_dtype", "latency_ms"};
  kind.variant = [](const KernelRow& row) { return row.text("kv_dtype"); };
  kind.shape = [](const KernelRow& row) {
    return MlaDecodeShape{row.number("batch"), row.number("kv_len", 0), row.number("heads")};
  };
  kind.operation = [](const std::string& variant, const MlaDecodeShape&) { return "mla_decode/" + variant; };
  kind.model = [](const Calibration& c, const std::string& variant) -> Table::Model {
    const auto law = mla_decode_law(c, variant);
    if (!law) return {};
    const double spread = range_factor(c.at("mla_decode/" + variant).residuals);
    return [law = *law, spread](const MlaDecodeShape& s) {
      return KernelPrediction{mla_decode_time(s, law, CacheState::warm), spread};
    };
  };
  kind.fit = [](const DataFiles& files, const std::string& system, const std::string& variant,
                const std::vector<MlaDecodePoint>& points) {
    const auto chip = attention_bytes(variant) ? kernel_chip(files, system, "bf16") : std::nullopt;
    return chip ? as_list(fit_mla_decode(variant, *chip, points)) : Laws{};
  };
  return kind;
}

KernelTable<MlaPrefillShape> mla_prefill_table() {
  using Table = KernelTable<MlaPrefillShape>;
  Table kind;
  kind.name = "prefill of latent attention";
  kind.columns = {"system", "batch", "isl", "heads", "dtype", "kv_dtype", "latency_ms"};
  kind.variant = [](const KernelRow& row) { return row.text("kv_dtype"); };
  kind.shape = [](const KernelRow& row) {
    return MlaPrefillShape{
        .batch = row.number("batch"), .tokens = row.number("isl"), .heads = row.number("heads")};
  };
  kind.operation = [](const std::string& variant, const MlaPrefillShape&) {
    return "mla_prefill/" + variant;
  };
  kind.model = [](const Calibration& c, const std::string& variant) -> Table::Model {
    const auto law = mla_prefill_law(c, variant);
    if (!law) return {};
    const double spread = widest_range(c, "mla_prefill/" + variant + "/");
    return [law = *law, spread](const MlaPrefillShape& s) {
      return KernelPrediction{mla_prefill_time(s, law), spread};
    };
  };
  kind.fit = [](const DataFiles& files, const std::string& system, const std::string& variant,
                const std::vector<MlaPrefillPoint>& points) {
    const auto chip = attention_bytes(variant) ? kernel_chip(files, system, "bf16") : std::nullopt;
    return chip ? fit_mla_prefill(variant, *chip, points) : Laws{};
  };
  return kind;
}

}  // namespace

std::vector<TableLayout> kernel_layouts() {
  return {kernel_layout(gemm_table()),        kernel_layout(decode_table()),
          kernel_layout(prefill_table()),     kernel_layout(mla_decode_table()),
          kernel_layout(mla_prefill_table()), kernel_layout(expert_table())};
}

}  // namespace roofplan::model
