#include "model/probe/gpu/gpu_laws.hpp"

#include "model/calibration/kernels/attention_calibration.hpp"
#include "model/calibration/kernels/choices.hpp"
#include "model/calibration/kernels/expert_calibration.hpp"
#include "model/calibration/kernels/gemm_calibration.hpp"
#include "model/calibration/kernels/split_kv_terms.hpp"
#include "model/probe/fit_machine.hpp"
#include "model/probe/gpu/gpu_load.hpp"
#include "model/probe/probe.hpp"

#include <algorithm>
#include <string_view>

namespace roofplan::probe {
namespace {

using model::Calibration;
using model::LawChip;
using model::ProbeResult;
using model::Seconds;
namespace unit = model::unit;

constexpr const char* kAttention = "attention_decode/bfloat16/grouped";
constexpr const char* kExperts = "batched";

std::vector<ProbeResult> named(const Calibration& c, std::string_view name) {
  std::vector<ProbeResult> out;
  std::copy_if(c.probes.begin(), c.probes.end(), std::back_inserter(out),
               [&](const ProbeResult& p) { return p.name == name; });
  return out;
}

/// What bounds the search: the datasheet, else somewhat above the best that was measured.
LawChip law_chip(const Calibration& c, const model::Chip* chip, const std::string& rate) {
  constexpr double kMemoryHeadroom = 1.1, kMatrixHeadroom = 1.3;
  LawChip out;
  out.sm_count = std::max(1, c.device.units);
  out.l2 = static_cast<double>(c.device.cache.count()) * unit::B;
  if (chip != nullptr && chip->memory_bandwidth.known()) {
    out.memory_bandwidth = *chip->memory_bandwidth;
  } else {
    const auto stream = stream_law(c);
    out.memory_bandwidth = kMemoryHeadroom * (stream ? stream->memory_rate : 1.0 * unit::TB_s);
  }
  if (chip != nullptr && chip->dense_rate.contains(rate) && chip->dense_rate.at(rate).known()) {
    out.matrix_rate = *chip->dense_rate.at(rate);
  } else {
    double best = 1e12;
    for (const ProbeResult& p : named(c, "product/" + rate)) {
      const double flop = 2 * parameter(p, "m") * parameter(p, "n") * parameter(p, "k");
      best = std::max(best, flop / time_of(p, 0).base());
    }
    out.matrix_rate = kMatrixHeadroom * best * unit::FLOP_s;
  }
  return out;
}

void fit_products(Calibration& c, const model::Chip* chip, const char* probe, const char* format_name) {
  const model::GemmFormat& format = *model::find_gemm_format(format_name);
  std::vector<model::GemmPoint> points;
  for (const ProbeResult& p : named(c, probe)) {
    if ((parameter(p, "quantises") > 0) != format.quantises) continue;
    points.push_back({{parameter(p, "m"), parameter(p, "n"), parameter(p, "k")}, time_of(p, 0)});
  }
  if (auto law = model::fit_gemm(format, law_chip(c, chip, format.rate), points)) c.set(std::move(*law));
}

model::AttentionDecodeShape decode_shape(double batch, double depth, double heads, double kv_heads,
                                         double head_dim) {
  // The law counts the new token beside those in the cache; the kernel has it among them.
  return {.batch = batch, .kv_len = depth - 1, .heads = heads, .kv_heads = kv_heads, .head_dim = head_dim};
}

/// The kernel's own structure is known: tiles of 16 tokens, up to 16 heads a block, up to 8 blocks an SM of
/// at least 128 tokens; how many run at once on an SM is the chip's.
std::vector<model::SplitKvKernel> attention_forms() {
  std::vector<model::SplitKvKernel> out;
  for (const int resident : {2, 3, 4}) {
    out.push_back({.token_tile = 16,
                   .blocks_per_sm = resident,
                   .heads_per_block = 16,
                   .rule = model::SplitRule::any_chunks,
                   .split_chunk = 128,
                   .split_waves = 8});
  }
  return out;
}

void fit_attention(Calibration& c, const model::Chip* chip) {
  std::vector<model::AttentionDecodePoint> points;
  for (const ProbeResult& p : named(c, "attention/bf16")) {
    points.push_back({decode_shape(parameter(p, "batch"), parameter(p, "depth"), parameter(p, "heads"),
                                   parameter(p, "kv_heads"), parameter(p, "head_dim")),
                      time_of(p, 0)});
  }
  const LawChip bounds = law_chip(c, chip, "bf16");
  const auto terms = [&](const model::SplitKvKernel& form) { return model::split_kv_terms(form, bounds); };
  const auto time = [&](const model::AttentionDecodeShape& shape, const model::SplitKvKernel& kernel) {
    const model::AttentionDecodeLaw law{
        .sm_count = bounds.sm_count, .equal_heads = kernel, .grouped = kernel, .per_head = kernel};
    return model::attention_decode_time(shape, law, model::CacheState::cold);
  };
  const auto fitted = model::fit_law(attention_forms(), terms, points, time);
  if (!fitted) return;
  auto choices = model::split_kv_choices(fitted->law);
  choices.emplace_back("sm_count", std::to_string(bounds.sm_count));
  choices.emplace_back("few_blocks_rule", model::yes_or_no(false));
  c.set(model::calibrated(kAttention, *fitted, terms(fitted->law), std::move(choices)));
}

model::ExpertGemmShape expert_shape(double tokens, double top_k, double distinct, double hidden,
                                    double inner) {
  return {.tokens = tokens,
          .top_k = top_k,
          .hidden = hidden,
          .inner = inner,
          .local_experts = distinct,
          .load = {.routed_tokens = tokens * top_k, .distinct_experts = distinct}};
}

void fit_experts(Calibration& c, const model::Chip* chip) {
  std::vector<model::ExpertPoint> points;
  for (const ProbeResult& p : named(c, "experts/bf16")) {
    points.push_back({expert_shape(parameter(p, "tokens"), parameter(p, "top_k"), parameter(p, "distinct"),
                                   parameter(p, "hidden"), parameter(p, "inner")),
                      time_of(p, 0)});
  }
  const model::ExpertFormat& format = *model::find_expert_format("bfloat16");
  if (auto law = model::fit_experts(format, kExperts, law_chip(c, chip, format.rate), points))
    c.set(std::move(*law));
}

double as_double(std::int64_t value) {
  return static_cast<double>(value);
}

std::optional<Seconds> time_by_law(const Calibration& c, const ProductWork& w) {
  const char* name = w.format == ProductWork::Format::bfloat16             ? "bfloat16"
                     : w.format == ProductWork::Format::fp8 && w.quantises ? "fp8"
                                                                           : nullptr;
  if (name == nullptr) return std::nullopt;
  const auto law = model::gemm_law(c, *model::find_gemm_format(name));
  return law ? std::optional(model::gemm_time({as_double(w.m), as_double(w.n), as_double(w.k)}, *law))
             : std::nullopt;
}

std::optional<Seconds> time_by_law(const Calibration& c, const AttentionWork& w) {
  if (w.by_products()) {
    const auto products = product_attention_law(c, w.latent > 0 ? "latent" : "bf16");
    if (!products) return std::nullopt;
    return products->time(w.moved_bytes() * unit::B, w.flop() * unit::flop);
  }
  const auto law = model::attention_decode_law(c, "bfloat16");
  if (!law) return std::nullopt;
  return model::attention_decode_time(decode_shape(as_double(w.batch), as_double(w.depth), as_double(w.heads),
                                                   as_double(w.kv_heads), as_double(w.head_dim)),
                                      *law);
}

std::optional<Seconds> time_by_law(const Calibration& c, const ExpertsWork& w) {
  const auto law = model::expert_law(c, *model::find_expert_format("bfloat16"), kExperts);
  if (!law) return std::nullopt;
  return model::expert_gemm_time(expert_shape(as_double(w.tokens), as_double(w.top_k), as_double(w.distinct),
                                              as_double(w.hidden), as_double(w.inner)),
                                 *law);
}

std::optional<Seconds> time_by_law(const Calibration& c, const ElementwiseWork& w) {
  const auto law = elementwise_law(c);
  return law ? std::optional(law->time(w.bytes() * unit::B)) : std::nullopt;
}

std::optional<Seconds> time_by_law(const Calibration& c, const CollectiveWork& w) {
  const auto law = collective_law(c, to_text(w.kind), w.ranks, w.captured);
  return law ? std::optional(law->time(as_double(w.bytes) * unit::B)) : std::nullopt;
}

template <class Work>
std::optional<Seconds> time_by_law(const Calibration&, const Work&) {
  return std::nullopt;
}

}  // namespace

void fit_gpu(Calibration& calibration, const model::Chip* chip) {
  fit_machine(calibration);
  fit_products(calibration, chip, "product/bf16", "bfloat16");
  fit_products(calibration, chip, "product/fp8", "fp8");
  fit_attention(calibration, chip);
  fit_experts(calibration, chip);
  fit_energy(calibration);
}

std::optional<Seconds> predicted_time(const Calibration& calibration, const GpuWork& work) {
  return std::visit([&](const auto& w) { return time_by_law(calibration, w); }, work);
}

}  // namespace roofplan::probe
