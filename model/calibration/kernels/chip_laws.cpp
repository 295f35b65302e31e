#include "model/calibration/kernels/chip_laws.hpp"

#include "model/calibration/kernels/attention_calibration.hpp"
#include "model/calibration/kernels/expert_calibration.hpp"
#include "model/calibration/kernels/gemm_calibration.hpp"
#include "model/calibration/kernels/kernel_chip.hpp"
#include "model/calibration/kernels/mla_calibration.hpp"

#include <algorithm>

namespace roofplan::model {
namespace {

/// Scaling by datasheets misses what differs in clocks, caches and kernels: B200's laws carried to B300 are
/// off by 4 to 14 % at the median and 13 to 31 % at the ninetieth percentile, where its own are by 3 to 6 and
/// 10 to 17 %.
constexpr double kInheritedRange = 1.25;

/// The measured system of a family, for its chips without measurements.
const std::string* measured_of_family(std::string_view family) {
  static const std::map<std::string, std::string, std::less<>> kMeasured{
      {"ampere", "a100_sxm"},
      {"hopper", "h100_sxm"},
      {"blackwell", "b200_sxm"},
      {"blackwell-ultra", "gb300"},
      {"blackwell-consumer", "rtx_pro_6000_server"},
      // GDDR, a large L2 and 128-wide SMs: of the measured chips the nearest to Ada.
      {"ada", "rtx_pro_6000_server"}};
  const auto found = kMeasured.find(family);
  return found == kMeasured.end() ? nullptr : &found->second;
}

std::string_view attention_rate(std::string_view format) {
  return format == "fp8" ? "fp8" : "bf16";
}

}  // namespace

ChipLaws::ChipLaws(const CalibrationSet& calibrations, std::string_view chip) {
  std::string name(chip);
  std::replace(name.begin(), name.end(), '-', '_');
  for (const std::string& own : {name, name + "_server"}) {
    calibration_ = calibrations.find(own);
    if (calibration_) {
      source_ = own;
      return;
    }
  }
  const std::string* source = measured_of_family(chip_family(calibrations.files(), chip));
  if (!source) return;
  calibration_ = calibrations.find(*source);
  source_ = *source;
  inherited_ = true;
  for (const char* rate : {"bf16", "fp8", "int8", "nvfp4"})
    sheets_[rate] = {kernel_chip(calibrations.files(), source_, rate),
                     kernel_chip(calibrations.files(), chip, rate)};
}

std::vector<std::string> ChipLaws::sources() const {
  return any() ? calibration_->sources : std::vector<std::string>();
}

template <class Law>
std::optional<Law> ChipLaws::own(std::optional<Law> fitted, std::string_view rate) const {
  if (!fitted || !inherited_) return fitted;
  const auto found = sheets_.find(rate);
  if (found == sheets_.end() || !found->second.from || !found->second.to) return std::nullopt;
  return scaled_law(std::move(*fitted), *found->second.from, *found->second.to);
}

std::optional<GemmLaw> ChipLaws::gemm(std::string_view format) const {
  const GemmFormat* found = find_gemm_format(format);
  return any() && found ? own(gemm_law(*calibration_, *found), found->rate) : std::nullopt;
}

std::optional<AttentionDecodeLaw> ChipLaws::attention_decode(std::string_view kv_format) const {
  return any() ? own(attention_decode_law(*calibration_, kv_format), "bf16") : std::nullopt;
}

std::optional<AttentionPrefillLaw> ChipLaws::attention_prefill(std::string_view format,
                                                               std::string_view kv_format) const {
  return any() ? own(attention_prefill_law(*calibration_, format, kv_format), attention_rate(format))
               : std::nullopt;
}

std::optional<MlaDecodeLaw> ChipLaws::mla_decode(std::string_view kv_format) const {
  return any() ? own(mla_decode_law(*calibration_, kv_format), "bf16") : std::nullopt;
}

std::optional<AttentionPrefillLaw> ChipLaws::mla_prefill(std::string_view kv_format) const {
  return any() ? own(mla_prefill_law(*calibration_, kv_format), "bf16") : std::nullopt;
}

std::optional<ExpertGemmLaw> ChipLaws::experts(std::string_view format, std::string_view kernel) const {
  const ExpertFormat* found = find_expert_format(format);
  return any() && found ? own(expert_law(*calibration_, *found, kernel), found->rate) : std::nullopt;
}

std::vector<std::string> ChipLaws::expert_kernels(std::string_view format) const {
  std::vector<std::string> out;
  if (!any()) return out;
  const std::string stem = "experts/" + std::string(format) + "/";
  for (const CalibratedLaw& law : calibration_->fit) {
    if (!law.law.starts_with(stem)) continue;
    const std::string kernel = law.law.substr(stem.size());
    if (kernel != kNongatedKernel) out.push_back(kernel);
  }
  return out;
}

double ChipLaws::range(std::string_view law) const {
  const CalibratedLaw* found = any() ? calibration_->find(law) : nullptr;
  if (!found) return 1.0;
  return range_factor(found->residuals) * (inherited_ ? kInheritedRange : 1.0);
}

}  // namespace roofplan::model
