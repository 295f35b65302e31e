#pragma once

#include "model/calibration/calibration_set.hpp"
#include "model/roofline/laws/kernel_laws.hpp"
#include "model/roofline/laws/scaled_law.hpp"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace roofplan::model {

/// The kernel laws of a chip of data/chips: its own where it was measured, else those of the nearest measured
/// chip of its family, scaled by the datasheets.
class ChipLaws : public KernelLaws {
 public:
  /// Holds no reference to `calibrations` but to the calibrations inside it, which must outlive this.
  ChipLaws(const CalibrationSet& calibrations, std::string_view chip);

  /// Whether there is any law at all; an unknown family has none.
  bool any() const { return calibration_ != nullptr; }
  const std::string& fitted_on() const override { return source_; }
  bool inherited() const override { return inherited_; }
  std::vector<std::string> sources() const override;

  std::optional<GemmLaw> gemm(std::string_view format) const override;
  std::optional<AttentionDecodeLaw> attention_decode(std::string_view kv_format) const override;
  std::optional<AttentionPrefillLaw> attention_prefill(std::string_view format,
                                                       std::string_view kv_format) const override;
  std::optional<MlaDecodeLaw> mla_decode(std::string_view kv_format) const override;
  std::optional<AttentionPrefillLaw> mla_prefill(std::string_view kv_format) const override;
  std::optional<ExpertGemmLaw> experts(std::string_view format, std::string_view kernel) const override;
  /// Without "nongated".
  std::vector<std::string> expert_kernels(std::string_view format) const override;

  /// Factor up and down that holds about 80 % of what the law was fitted to, wider where it is inherited.
  /// `law` as the calibration names it, "gemm/fp8"; 1 where there is no such law.
  double range(std::string_view law) const;

 private:
  template <class Law>
  std::optional<Law> own(std::optional<Law> fitted, std::string_view rate) const;

  struct Sheets {
    std::optional<LawChip> from, to;
  };

  std::string source_;
  std::map<std::string, Sheets, std::less<>> sheets_;  ///< by rate, where laws are scaled
  bool inherited_ = false;
  const Calibration* calibration_ = nullptr;
};

}  // namespace roofplan::model
