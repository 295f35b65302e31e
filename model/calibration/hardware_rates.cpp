#include "model/calibration/hardware_rates.hpp"

#include "model/calibration/fabric_path.hpp"
#include "model/calibration/table_words.hpp"
#include "model/fabric/scale_out_law.hpp"

#include <algorithm>

namespace roofplan::model {
namespace {

bool holds(const std::string& text, std::string_view word) {
  return text.find(word) != std::string::npos;
}

/// The format of the kernel laws that a text names.
std::string law_format(const std::string& what) {
  if (holds(what, "NVFP4") || holds(what, "FP4")) return "nvfp4";
  if (holds(what, "FP8")) return "fp8";
  if (holds(what, "FP16") || holds(what, "BF16")) return "bfloat16";
  return {};
}

}  // namespace

bool HardwareRates::predicts(const std::string& metric) {
  return metric == "busbw_GBs" || metric == "latency_us" || metric == "gemm_tflops" || metric == "membw_GBs";
}

void HardwareRates::predict(const HardwareRow& row, RowPrediction& out) const {
  const System* system = data_.catalog().systems().recognise(row.system);
  if (system == nullptr) {
    out.reason = "unknown system";
  } else if (out.metric == "gemm_tflops") {
    out.reason = product(row, *system, out);
  } else if (out.metric == "membw_GBs") {
    out.reason = memory(row, *system, out);
  } else {
    out.reason = bus(row, *system, out);
  }
  if (!out.reason.empty()) {
    out.state = RowPrediction::State::unsupported;
    return;
  }
  out.state = RowPrediction::State::predicted;
  out.low = out.high = out.predicted;
  out.rate = out.metric != "latency_us";
  out.estimate = Estimate::kernel;
}

std::string HardwareRates::bus(const HardwareRow& row, const System& system, RowPrediction& out) const {
  const auto op = collective_in(row.what);
  if (!op) return "the collective is not named";
  const auto bytes = size_in(row.what);
  if (!bytes) return "no message size is stated";
  const int ranks = static_cast<int>(row.ranks);
  if (ranks < 2) return "one accelerator exchanges nothing";
  const Message message{*op, *bytes, ranks, 4};
  const FabricPath path = fabric_path(system, data_.calibrations(), data_.catalog().links());
  const Seconds time = fabric_time(path, message);
  out.operation = std::string(to_text(*op));
  out.subject = "published " + out.operation;
  out.predicted =
      out.metric == "latency_us" ? time / unit::us : bus_bandwidth(message, time) / (unit::GB / unit::s);
  return {};
}

std::string HardwareRates::product(const HardwareRow& row, const System& system, RowPrediction& out) const {
  const std::string format = law_format(row.what);
  if (format.empty()) return "no format is stated";
  const auto shape = shape_in(row.what);
  if (!shape) return "no shape is stated";
  auto law = data_.kernel_laws(system.chip.id).gemm(format);
  if (!law) return "no kernel law of the chip in this format";
  law->quantises = false;
  out.operation = "gemm/" + format;
  out.subject = "published gemm";
  out.predicted = 2 * shape->m * shape->n * shape->k / (gemm_time(*shape, *law) / unit::s) / 1e12;
  return {};
}

std::string HardwareRates::memory(const HardwareRow& row, const System& system, RowPrediction& out) const {
  if (holds(row.what, "CPU")) return "a rate of the processor, not of the accelerator";
  const ChipEfficiency* chip = data_.efficiencies().find(system.chip);
  if (chip == nullptr) return "no measured share of the memory bandwidth for the chip's family";
  out.operation = "memory";
  out.subject = "published memory";
  out.predicted = *chip->gemm.memory * (*system.chip.memory_bandwidth / (unit::GB / unit::s));
  return {};
}

}  // namespace roofplan::model
