#pragma once

// Numbers that probes multiply, made alike on the device and, for checks, on the host.

#if defined(__CUDACC__)
#define ROOFPLAN_BOTH __host__ __device__
#else
#define ROOFPLAN_BOTH
#endif

namespace roofplan::probe {

/// What a 32-bit word of memory holds. Values spread evenly over [-1, 1) in the format's own steps: how fast
/// a product runs, and at what power, depends on its data, and constants are faster than any real weights.
enum class Pattern : unsigned {
  bfloat16,     ///< two numbers a word
  float16,      ///< two
  float32,      ///< one
  fp8,          ///< four, e4m3
  int8,         ///< four, of -127 to 127
  fp4,          ///< eight, e2m1: their values reach to 6
  ones,         ///< 1.0 in float32
  scale_fp8,    ///< 1.0 as a scale in e4m3, four
  scale_power,  ///< 1.0 as a power of two (ue8m0), four
};

/// Well mixed bits of a counter (Steele, Lea and Flood, OOPSLA 2014: the finaliser of SplitMix, 32 bits
/// wide).
ROOFPLAN_BOTH inline unsigned mixed(unsigned seed, unsigned long long i) {
  unsigned x = static_cast<unsigned>(i) * 0x9e3779b9u + static_cast<unsigned>(i >> 32) * 0x85ebca6bu + seed;
  x = (x ^ (x >> 16)) * 0x21f0aaadu;
  x = (x ^ (x >> 15)) * 0x735a2d97u;
  return x ^ (x >> 15);
}

/// Eight random bits to the bits of a bfloat16 in [-1, 1): sign, and one of the 128 steps of 1/128, which
/// seven bits of mantissa hold exactly.
ROOFPLAN_BOTH inline unsigned small_float_bits(unsigned bits, int mantissa, int bias) {
  const unsigned sign = (bits >> 7) & 1u;
  unsigned magnitude = bits & 0x7fu;
  if (magnitude == 0) return 0;
  int exponent = bias;
  while (magnitude < 128u) {
    magnitude <<= 1;
    --exponent;
  }
  const unsigned fraction = (magnitude & 0x7fu) << 1;  // eight bits behind the leading one
  const unsigned kept = mantissa >= 8 ? fraction << (mantissa - 8) : fraction >> (8 - mantissa);
  return (static_cast<unsigned>(exponent) << mantissa) | kept | (sign << 31);
}

ROOFPLAN_BOTH inline unsigned pattern_word(Pattern pattern, unsigned seed, unsigned long long i) {
  const unsigned r = mixed(seed, i);
  switch (pattern) {
    case Pattern::bfloat16:
    case Pattern::float16: {
      const bool wide = pattern == Pattern::bfloat16;
      unsigned out = 0;
      for (int half = 0; half < 2; ++half) {
        const unsigned f = small_float_bits(r >> (8 * half), wide ? 7 : 10, wide ? 127 : 15);
        out |= ((f & 0x7fffu) | (f >> 31 << 15)) << (16 * half);
      }
      return out;
    }
    case Pattern::float32:
      return small_float_bits(r, 23, 127);
    case Pattern::fp8: {
      unsigned out = 0;
      for (int k = 0; k < 4; ++k) {
        // Four bits of exponent with a bias of 7 hold down to 1/64: smaller ones become nought.
        const unsigned bits = (r >> (8 * k)) & 0xffu;
        const unsigned f = (bits & 0x7fu) < 4u ? 0u : small_float_bits(bits, 3, 7);
        out |= ((f & 0x7fu) | (f >> 31 << 7)) << (8 * k);
      }
      return out;
    }
    case Pattern::int8: {
      unsigned out = r;
      for (int k = 0; k < 4; ++k)
        if (((r >> (8 * k)) & 0xffu) == 0x80u) out ^= 0x01u << (8 * k);
      return out;
    }
    case Pattern::fp4:
      return r;
    case Pattern::ones:
      return 0x3f800000u;
    case Pattern::scale_fp8:
      return 0x38383838u;
    case Pattern::scale_power:
      return 0x7f7f7f7fu;
  }
  return 0;
}

}  // namespace roofplan::probe
