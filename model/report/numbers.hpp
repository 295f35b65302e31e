#pragma once

#include "model/units/byte_count.hpp"

#include <cstdint>
#include <string>

namespace roofplan::model::report {

// How numbers look in tables, in one place. Machines get them unrounded from the result.

/// Four significant digits; from 10,000 on whole and grouped: "0.8333", "273", "12,345".
std::string number_text(double number);
/// GiB with one decimal and no unit, for columns whose head names it: "93.1".
std::string gib_text(ByteCount bytes);
/// "46.8 %".
std::string percent_text(double share);
/// Factors below and above an estimate: "-19 % / +25 %".
std::string reach_text(double low, double high);
/// Parameters in trillions, billions or millions: "1.026 T", "70.55 B", "494 M".
std::string params_text(std::int64_t params);
/// A range behind its value, "95 (60 to 95)".
std::string range_text(double value, double low, double high);

}  // namespace roofplan::model::report
