#pragma once

#include "model/roofline/laws/attention_decode.hpp"
#include "model/roofline/laws/attention_prefill.hpp"
#include "model/roofline/laws/expert_gemm.hpp"
#include "model/roofline/laws/gemm.hpp"
#include "model/roofline/laws/mla.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace roofplan::model {

/// The fitted kernel laws of one chip. Formats are named as tables of kernels name them ("bfloat16", "fp8",
/// "fp8_block", "nvfp4", ...). A law that the chip does not have is nothing.
class KernelLaws {
 public:
  virtual ~KernelLaws() = default;

  /// True when they are scaled from another chip: an estimate, to be said.
  virtual bool inherited() const = 0;
  /// The system whose measurements they rest on, "b200_sxm"; empty where there are no laws.
  virtual const std::string& fitted_on() const = 0;
  /// Those measurements, ids of data/sources.json.
  virtual std::vector<std::string> sources() const = 0;
  virtual std::optional<GemmLaw> gemm(std::string_view format) const = 0;
  virtual std::optional<AttentionDecodeLaw> attention_decode(std::string_view kv_format) const = 0;
  virtual std::optional<AttentionPrefillLaw> attention_prefill(std::string_view format,
                                                               std::string_view kv_format) const = 0;
  virtual std::optional<MlaDecodeLaw> mla_decode(std::string_view kv_format) const = 0;
  virtual std::optional<AttentionPrefillLaw> mla_prefill(std::string_view kv_format) const = 0;
  virtual std::optional<ExpertGemmLaw> experts(std::string_view format, std::string_view kernel) const = 0;
  /// Kernels of routed experts that were measured for a format, "cutlass", "deepgemm", ... of gated experts.
  virtual std::vector<std::string> expert_kernels(std::string_view format) const = 0;
};

}  // namespace roofplan::model
