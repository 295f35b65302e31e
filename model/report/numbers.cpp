#include "model/report/numbers.hpp"

#include "model/units/unit_text.hpp"

#include <fmt/format.h>

#include <cmath>

namespace roofplan::model::report {

std::string number_text(double number) {
  constexpr double kGroupedFrom = 1e4, kExactTo = 1e15;
  const double size = std::abs(number);
  if (size < kGroupedFrom || size >= kExactTo) return fmt::format("{:.4g}", number);
  return grouped(std::llround(number));
}

std::string gib_text(ByteCount bytes) {
  return fmt::format("{:.1f}", static_cast<double>(bytes.count()) / 0x1p30);
}

std::string reach_text(double low, double high) {
  return fmt::format("-{:.0f} % / +{:.0f} %", 100 * (1 - low), 100 * (high - 1));
}

std::string percent_text(double share) {
  return fmt::format("{:.1f} %", 100 * share);
}

std::string params_text(std::int64_t params) {
  constexpr double kTrillion = 1e12, kBillion = 1e9, kMillion = 1e6;
  const auto n = static_cast<double>(params);
  if (n >= kTrillion) return fmt::format("{:.4g} T", n / kTrillion);
  if (n >= kBillion) return fmt::format("{:.4g} B", n / kBillion);
  return fmt::format("{:.4g} M", n / kMillion);
}

std::string range_text(double value, double low, double high) {
  return fmt::format("{} ({} to {})", number_text(value), number_text(low), number_text(high));
}

}  // namespace roofplan::model::report
