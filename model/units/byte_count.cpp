#include "model/units/byte_count.hpp"

#include <cmath>

namespace roofplan::model {

namespace {
[[noreturn]] void throw_overflow() {
  throw InputError(InputError::Kind::content, "a size exceeds 2^63 - 1", "sizes below 8 EiB");
}
}  // namespace

ByteCount ByteCount::overflow() {
  throw_overflow();
}

ByteCount ceil_bytes(Bytes bytes) {
  const double n = std::ceil(bytes / unit::B);
  if (!(n > -0x1p63 && n < 0x1p63)) throw_overflow();
  return ByteCount(static_cast<std::int64_t>(n));
}

std::int64_t checked_mul(std::int64_t a, std::int64_t b) {
  std::int64_t r = 0;
  if (__builtin_mul_overflow(a, b, &r)) throw_overflow();
  return r;
}

std::int64_t checked_add(std::int64_t a, std::int64_t b) {
  std::int64_t r = 0;
  if (__builtin_add_overflow(a, b, &r)) throw_overflow();
  return r;
}

}  // namespace roofplan::model
