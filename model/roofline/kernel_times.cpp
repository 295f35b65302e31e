#include "model/roofline/kernel_times.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

namespace roofplan::model {

namespace {

/// TensorRT-LLM runs this kernel up to so many tokens of a step, though it was measured for more (the
/// condition of its model definitions for Blackwell).
constexpr std::string_view kFewTokensKernel = "min_latency";
constexpr double kFewTokens = 128;

/// The name under which tables of kernels know a format of weights; empty: none.
std::string gemm_format(const NumberFormat& weights) {
  if (weights.id == "bf16" || weights.id == "fp16") return "bfloat16";
  if (weights.id == "awq" || weights.id == "gptq" || weights.id == "int4") return "int4_wo";
  if (weights.id == "fp8" || weights.id == "fp8_block" || weights.id == "nvfp4") return weights.id;
  return {};
}

std::vector<std::string> expert_formats(const NumberFormat& weights) {
  if (weights.id == "mxfp4") return {"w4a8_mxfp4_mxfp8", "w4a16_mxfp4"};
  const std::string format = gemm_format(weights);
  return format.empty() ? std::vector<std::string>{} : std::vector<std::string>{format};
}

/// A matrix product by its number of tokens, tabulated so that a step tries no tiles.
class GemmTimes : public KernelTime {
 public:
  explicit GemmTimes(const std::function<double(double)>& law) {
    for (std::size_t i = 0; i < kSamples; ++i)
      log_seconds_[i] = std::log2(law(std::exp2(static_cast<double>(i) / kPerOctave)));
  }
  double seconds(const StepPoint&, double, double tokens, double) const override {
    const double at = std::log2(std::max(1.0, tokens)) * kPerOctave;
    if (at >= kSamples - 1) return std::exp2(log_seconds_.back() + (at - (kSamples - 1)) / kPerOctave);
    const auto i = static_cast<std::size_t>(at);
    return std::exp2(log_seconds_[i] +
                     (at - static_cast<double>(i)) * (log_seconds_[i + 1] - log_seconds_[i]));
  }

 private:
  static constexpr std::size_t kPerOctave = 4, kSamples = 14 * kPerOctave + 1;
  std::array<double, kSamples> log_seconds_{};
};

class AttentionDecodeTimes : public KernelTime {
 public:
  AttentionDecodeTimes(AttentionDecodeLaw law, AttentionDecodeShape shape) : law_(law), shape_(shape) {}
  double seconds(const StepPoint& point, double sequences, double, double) const override {
    AttentionDecodeShape shape = shape_;
    shape.batch = std::max(1.0, sequences);
    shape.kv_len = point.context;
    shape.heads *= point.tokens;  // drafted tokens of a sequence read its cache together
    return attention_decode_time(shape, law_, CacheState::cold).base();
  }

 private:
  AttentionDecodeLaw law_;
  AttentionDecodeShape shape_;
};

class MlaDecodeTimes : public KernelTime {
 public:
  MlaDecodeTimes(MlaDecodeLaw law, double heads) : law_(law), heads_(heads) {}
  double seconds(const StepPoint& point, double sequences, double, double) const override {
    return mla_decode_time({std::max(1.0, sequences), point.context, heads_ * point.tokens}, law_,
                           CacheState::cold)
        .base();
  }

 private:
  MlaDecodeLaw law_;
  double heads_;
};

class AttentionPrefillTimes : public KernelTime {
 public:
  AttentionPrefillTimes(AttentionPrefillLaw law, AttentionPrefillShape shape)
      : law_(std::move(law)), shape_(shape) {}
  double seconds(const StepPoint& point, double sequences, double, double) const override {
    AttentionPrefillShape shape = shape_;
    shape.batch = sequences;
    shape.tokens = point.tokens;
    shape.context = point.context;
    return attention_prefill_time(shape, law_).base();
  }

 private:
  AttentionPrefillLaw law_;
  AttentionPrefillShape shape_;
};

/// A kernel of routed experts, and up to how many tokens engines run it.
struct ExpertKernel {
  ExpertGemmLaw law;
  double most_tokens = std::numeric_limits<double>::infinity();
};

/// Routed experts under the fastest of several kernels.
class ExpertTimes : public KernelTime {
 public:
  ExpertTimes(std::vector<ExpertKernel> kernels, ExpertGemmShape shape, double experts, double ranks)
      : kernels_(std::move(kernels)),
        shape_(shape),
        experts_(experts),
        ranks_(ranks),
        extreme_(extreme_of_normals(ranks)) {}

  double seconds(const StepPoint&, double, double tokens, double correlation_exponent) const override {
    ExpertGemmShape shape = shape_;
    shape.tokens = tokens;
    const double mean = tokens * shape.top_k / ranks_;
    const double busiest = mean + extreme_ * std::sqrt(mean * (1 - 1 / ranks_));
    shape.load.routed_tokens = busiest;
    const double own = experts_ / ranks_;
    shape.load.distinct_experts =
        std::clamp(distinct_experts(experts_, shape.top_k, tokens, correlation_exponent) / ranks_,
                   std::min(1.0, busiest), own);
    double best = std::numeric_limits<double>::infinity();
    for (const ExpertKernel& kernel : kernels_)
      if (tokens <= kernel.most_tokens) best = std::min(best, expert_gemm_time(shape, kernel.law).base());
    return best;
  }

 private:
  std::vector<ExpertKernel> kernels_;
  ExpertGemmShape shape_;
  double experts_, ranks_, extreme_;
};

}  // namespace

KernelTimes::KernelTimes(const KernelLaws& laws, const NumberFormat& kv, const EngineSpeed::KernelLawUse& use,
                         std::string_view family, KernelTimeStore* store)
    : laws_(&laws),
      kv_(kv.id == "fp8" ? "fp8" : "bfloat16"),
      quantise_(*use.quantise),
      expert_fixed_(*use.expert_fixed),
      store_(store != nullptr ? store : &own_) {
  const auto own = use.own_experts.find(std::string(family));
  if (own != use.own_experts.end()) own_experts_ = own->second;
}

const KernelTime* KernelTimes::gemm(const NumberFormat& weights, double n, double k) {
  const std::string format = gemm_format(weights);
  if (format.empty()) return nullptr;
  return store_->find({"gemm/" + format, {n, k, quantise_}}, [&] { return make_gemm(format, n, k); });
}

std::unique_ptr<KernelTime> KernelTimes::make_gemm(const std::string& format, double n, double k) const {
  std::optional<GemmLaw> law = laws_->gemm(format);
  if (!law) return nullptr;
  const std::optional<GemmLaw> plain = laws_->gemm("bfloat16");
  double quantise_launch = 0, quantise_s_per_token = 0;
  if (law->quantises && plain) {
    quantise_launch = quantise_ * std::max(0.0, (law->launch - plain->launch).base());
    quantise_s_per_token =
        quantise_ * (k * (2.0 + law->input_bytes) / law->quantise_rate.base() + law->row_setup.base());
    law->launch = std::min(law->launch, plain->launch);
    law->quantises = false;
    if (format == "nvfp4") {
      law->largest_split = std::max(law->largest_split, plain->largest_split);
      law->split_setup = plain->split_setup;
    }
  }
  return std::make_unique<GemmTimes>([&](double m) {
    return gemm_time({m, n, k}, *law).base() + quantise_launch + m * quantise_s_per_token;
  });
}

const KernelTime* KernelTimes::experts(const NumberFormat& weights, const MoeFfn& moe, double hidden,
                                       double moe_tp, double ep) {
  ExpertGemmShape shape;
  shape.top_k = static_cast<double>(moe.top_k);
  shape.hidden = moe.latent > 0 ? static_cast<double>(moe.latent) : hidden;
  shape.inner = static_cast<double>(moe.intermediate) / moe_tp;
  shape.local_experts = static_cast<double>(moe.experts) / ep;
  shape.gated = moe.gated;
  const auto experts = static_cast<double>(moe.experts);
  const bool own = std::find(own_experts_.begin(), own_experts_.end(), weights.id) != own_experts_.end();
  const double fixed = own ? 0 : expert_fixed_;
  return store_->find({"experts/" + weights.id,
                       {shape.top_k, shape.hidden, shape.inner, experts, ep, moe.gated ? 1.0 : 0.0, fixed}},
                      [&] { return make_experts(weights, shape, experts, ep, fixed); });
}

std::unique_ptr<KernelTime> KernelTimes::make_experts(const NumberFormat& weights,
                                                      const ExpertGemmShape& shape, double experts, double ep,
                                                      double fixed) const {
  std::vector<ExpertKernel> kernels;
  for (const std::string& format : expert_formats(weights))
    for (const std::string& kernel : laws_->expert_kernels(format))
      if (auto law = laws_->experts(format, shape.gated ? kernel : "nongated")) {
        law->per_local_expert = Seconds();
        law->launch *= fixed;
        law->per_token_doubling *= fixed;
        kernels.push_back({*law});
        if (kernel == kFewTokensKernel && shape.gated) kernels.back().most_tokens = kFewTokens;
      }
  if (kernels.empty()) return nullptr;
  if (kernels.size() == 1) kernels.front().most_tokens = std::numeric_limits<double>::infinity();
  return std::make_unique<ExpertTimes>(std::move(kernels), shape, experts, ep);
}

const KernelTime* KernelTimes::attention(const Attention& a, Phase phase, double heads, double kv_heads) {
  if (a.kind == Attention::Kind::compressed || a.index_top_k > 0) return nullptr;
  const std::string kernel = std::string(phase == Phase::decode ? "decode/" : "prefill/") + kv_;
  if (a.kind == Attention::Kind::mla)
    return store_->find({"mla/" + kernel, {heads}}, [&] { return make_latent_attention(phase, heads); });
  const double window = a.window ? static_cast<double>(*a.window) : 0.0;
  const double width = static_cast<double>(a.head_dim + a.v_head_dim) / 2;
  return store_->find({"attention/" + kernel, {heads, kv_heads, width, window}},
                      [&] { return make_attention(phase, heads, kv_heads, width, window); });
}

std::unique_ptr<KernelTime> KernelTimes::make_latent_attention(Phase phase, double heads) const {
  if (phase == Phase::decode) {
    const auto law = laws_->mla_decode(kv_);
    return law ? std::make_unique<MlaDecodeTimes>(*law, heads) : nullptr;
  }
  const auto law = laws_->mla_prefill(kv_);
  const AttentionPrefillShape shape{.heads = heads, .kv_heads = heads, .head_dim = kMlaExpandedWidth};
  return law ? std::make_unique<AttentionPrefillTimes>(*law, shape) : nullptr;
}

std::unique_ptr<KernelTime> KernelTimes::make_attention(Phase phase, double heads, double kv_heads,
                                                        double width, double window) const {
  if (phase == Phase::decode) {
    const auto law = laws_->attention_decode(kv_);
    const AttentionDecodeShape shape{
        .heads = heads, .kv_heads = kv_heads, .head_dim = width, .window = window};
    return law ? std::make_unique<AttentionDecodeTimes>(*law, shape) : nullptr;
  }
  const auto law = laws_->attention_prefill("bfloat16", kv_);
  const AttentionPrefillShape shape{
      .heads = heads, .kv_heads = kv_heads, .head_dim = width, .window = window};
  return law ? std::make_unique<AttentionPrefillTimes>(*law, shape) : nullptr;
}

}  // namespace roofplan::model
