#pragma once

#include "model/calibration/speed_data.hpp"
#include "model/calibration/table_layout.hpp"

#include <string>

namespace roofplan::model {

/// What a row says of a bare rate of the hardware, beside its metric.
struct HardwareRow {
  std::string system;  ///< as the table writes it
  std::string what;    ///< the words in which the operation, format, size or shape stand
  double ranks = 1;    ///< accelerators that exchange
};

/// Predicts rates of links, matrix products and memory: "busbw_GBs" and "latency_us" of a named collective of
/// stated size, "gemm_tflops" of a stated shape by the kernel laws of the chip (without quantising, which
/// libraries measure apart), "membw_GBs" of a kernel that reads or copies by what kernels reach of the
/// datasheet.
class HardwareRates {
 public:
  /// `data` must outlive it.
  explicit HardwareRates(const SpeedData& data) : data_(data) {}

  /// Whether `metric` is one of these.
  static bool predicts(const std::string& metric);
  /// Fills prediction, range key and state of `out`, or the reason why there is none.
  void predict(const HardwareRow& row, RowPrediction& out) const;

 private:
  std::string bus(const HardwareRow& row, const System& system, RowPrediction& out) const;
  std::string product(const HardwareRow& row, const System& system, RowPrediction& out) const;
  std::string memory(const HardwareRow& row, const System& system, RowPrediction& out) const;

  const SpeedData& data_;
};

}  // namespace roofplan::model
