#pragma once

#include "model/units/error.hpp"
#include "model/units/quantity.hpp"

#include <cstdint>

namespace roofplan::model {

/// An exact number of bytes: a checked signed 64-bit integer. Arithmetic that leaves the range throws
/// InputError (content), since only absurd input can get there.
class ByteCount {
 public:
  constexpr ByteCount() = default;
  explicit constexpr ByteCount(std::int64_t bytes) : n_(bytes) {}
  constexpr std::int64_t count() const { return n_; }
  /// The same amount as a continuous quantity.
  constexpr Bytes quantity() const { return static_cast<double>(n_) * unit::B; }

  friend constexpr ByteCount operator+(ByteCount a, ByteCount b) {
    std::int64_t r = 0;
    return __builtin_add_overflow(a.n_, b.n_, &r) ? overflow() : ByteCount(r);
  }
  friend constexpr ByteCount operator-(ByteCount a, ByteCount b) {
    std::int64_t r = 0;
    return __builtin_sub_overflow(a.n_, b.n_, &r) ? overflow() : ByteCount(r);
  }
  friend constexpr ByteCount operator*(ByteCount a, std::int64_t k) {
    std::int64_t r = 0;
    return __builtin_mul_overflow(a.n_, k, &r) ? overflow() : ByteCount(r);
  }
  friend constexpr ByteCount operator*(std::int64_t k, ByteCount a) { return a * k; }
  constexpr ByteCount& operator+=(ByteCount b) { return *this = *this + b; }
  constexpr ByteCount& operator-=(ByteCount b) { return *this = *this - b; }
  friend constexpr auto operator<=>(ByteCount, ByteCount) = default;

 private:
  [[noreturn]] static ByteCount overflow();
  std::int64_t n_ = 0;
};

/// A whole number of bytes from a continuous quantity, rounded up. Throws InputError beyond 2^63.
ByteCount ceil_bytes(Bytes bytes);

/// a / b rounded up, for a >= 0 and b > 0.
constexpr std::int64_t ceil_div(std::int64_t a, std::int64_t b) {
  return (a + b - 1) / b;
}

/// a * b as a checked 64-bit integer; throws InputError (content) beyond the range.
std::int64_t checked_mul(std::int64_t a, std::int64_t b);
/// a + b as a checked 64-bit integer; throws InputError (content) beyond the range.
std::int64_t checked_add(std::int64_t a, std::int64_t b);

}  // namespace roofplan::model
