#include "model/probe/cuda/number_bits.hpp"

#include <cmath>
#include <cstring>

namespace roofplan::probe {
namespace {

/// A binary number of sign, exponent and mantissa, subnormals included.
double decoded_float(unsigned bits, int exponent_bits, int mantissa_bits) {
  const int bias = (1 << (exponent_bits - 1)) - 1;
  const unsigned fraction = bits & ((1u << mantissa_bits) - 1);
  const int exponent = static_cast<int>((bits >> mantissa_bits) & ((1u << exponent_bits) - 1));
  const double one = exponent == 0 ? 0.0 : 1.0;
  const double size = std::ldexp(one + std::ldexp(static_cast<double>(fraction), -mantissa_bits),
                                 (exponent == 0 ? 1 : exponent) - bias);
  return (bits >> (exponent_bits + mantissa_bits) & 1u) != 0 ? -size : size;
}

template <class T>
T at(const void* from, std::int64_t index) {
  T out;
  std::memcpy(&out, static_cast<const char*>(from) + index * static_cast<std::int64_t>(sizeof(T)), sizeof(T));
  return out;
}

}  // namespace

int bits_of(Pattern pattern) {
  switch (pattern) {
    case Pattern::bfloat16:
    case Pattern::float16:
      return 16;
    case Pattern::fp8:
    case Pattern::int8:
    case Pattern::scale_fp8:
    case Pattern::scale_power:
      return 8;
    case Pattern::fp4:
      return 4;
    case Pattern::float32:
    case Pattern::ones:
      break;
  }
  return 32;
}

double decoded(Pattern pattern, const void* from, std::int64_t index) {
  switch (pattern) {
    case Pattern::bfloat16:
      return decoded_float(at<std::uint16_t>(from, index), 8, 7);
    case Pattern::float16:
      return decoded_float(at<std::uint16_t>(from, index), 5, 10);
    case Pattern::fp8:
    case Pattern::scale_fp8:
      return decoded_float(at<std::uint8_t>(from, index), 4, 3);
    case Pattern::int8:
      return static_cast<double>(at<std::int8_t>(from, index));
    case Pattern::fp4:
      return decoded_float(
          static_cast<unsigned>(at<std::uint8_t>(from, index / 2)) >> (4 * (index % 2)) & 0xfu, 2, 1);
    case Pattern::scale_power:
      return std::ldexp(1.0, static_cast<int>(at<std::uint8_t>(from, index)) - 127);
    case Pattern::float32:
    case Pattern::ones:
      break;
  }
  return static_cast<double>(at<float>(from, index));
}

}  // namespace roofplan::probe
