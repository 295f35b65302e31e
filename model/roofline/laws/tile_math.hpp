#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace roofplan::model {

/// std::ceil for 0 <= x < 2^53, without the library call that it is on the plainest x86-64.
inline double round_up(double x) {
  const double whole = static_cast<double>(static_cast<std::int64_t>(x));
  return whole + (whole < x ? 1.0 : 0.0);
}

/// Tiles that cover `size` in steps of `tile`.
inline double tile_count(double size, double tile) {
  return round_up(size / tile);
}

/// Rounds that `tasks` equal tasks take on `slots` places: 1 when all run at once; beyond, between whole
/// waves (`smoothing` 0) and work spread evenly (1, as a kernel that splits its last wave does).
inline double waves(double tasks, double slots, double smoothing) {
  const double rounds = tasks / slots;
  return rounds <= 1.0 ? 1.0 : (1.0 - smoothing) * round_up(rounds) + smoothing * rounds;
}

/// Smooth maximum of two times that overlap: the 2-norm.
inline double overlapped(double a, double b) {
  return std::sqrt(a * a + b * b);
}

}  // namespace roofplan::model
