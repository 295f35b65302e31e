#pragma once

#include "model/calibration/speed_data.hpp"

#include <chrono>

namespace roofplan::bench {

/// The catalogue that the program ships, read whole.
inline const model::SpeedData& shipped_data() {
  static const model::Catalog catalog;
  static const model::SpeedData data(catalog);
  static const bool read = (data.load_all(), true);
  static_cast<void>(read);
  return data;
}

double seconds_of(const auto& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace roofplan::bench
