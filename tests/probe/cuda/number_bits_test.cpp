#include "model/probe/cuda/number_bits.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <cstdint>
#include <set>

using namespace roofplan::probe;

TEST_CASE("bits of each format are the numbers that its standard says", "[probe][cuda]") {
  const std::uint16_t bf16 = 0xbfc0, fp16 = 0x3555;
  CHECK(decoded(Pattern::bfloat16, &bf16, 0) == -1.5);
  CHECK(decoded(Pattern::float16, &fp16, 0) == Approx(1.0 / 3).epsilon(1e-3));
  // OCP 8-bit: 0x7e is the largest e4m3, 448; 0x01 the smallest, 2^-9.
  const std::uint8_t e4m3[] = {0x7e, 0x01, 0xb8};
  CHECK(decoded(Pattern::fp8, e4m3, 0) == 448);
  CHECK(decoded(Pattern::fp8, e4m3, 1) == std::ldexp(1.0, -9));
  CHECK(decoded(Pattern::fp8, e4m3, 2) == -1);
  // OCP microscaling: e2m1 holds 0.5, 1, 1.5, 2, 3, 4, 6, the lower half of a byte first.
  const std::uint8_t e2m1 = 0x7d;
  CHECK(decoded(Pattern::fp4, &e2m1, 0) == -3);
  CHECK(decoded(Pattern::fp4, &e2m1, 1) == 6);
  const std::uint8_t one = 0x7f;
  CHECK(decoded(Pattern::scale_power, &one, 0) == 1);
}

TEST_CASE("every pattern spreads over both signs and stays in range", "[probe][cuda]") {
  for (const Pattern pattern : {Pattern::bfloat16, Pattern::float16, Pattern::float32, Pattern::fp8}) {
    double sum = 0, square = 0;
    std::set<double> distinct;
    const int each = 32 / bits_of(pattern), words = 4000;
    for (int i = 0; i < words; ++i) {
      const unsigned word = pattern_word(pattern, 11, static_cast<unsigned>(i));
      for (int k = 0; k < each; ++k) {
        const double x = decoded(pattern, &word, k);
        REQUIRE(std::abs(x) < 1.0);
        sum += x;
        square += x * x;
        distinct.insert(x);
      }
    }
    const double count = static_cast<double>(each) * words;
    // Even over [-1, 1): mean 0, mean square 1/3; five deviations of a mean of `count`. Three bits of
    // mantissa cut off up to an eighth.
    CHECK(std::abs(sum / count) < 5 * std::sqrt(1.0 / 3 / count));
    CHECK(square / count < 1.0 / 3 * 1.03);
    CHECK(square / count > 1.0 / 3 * 0.97 * (pattern == Pattern::fp8 ? 49.0 / 64 : 1.0));
    CHECK(distinct.size() > 50);
  }
}

TEST_CASE("the scales that products start from are ones", "[probe][cuda]") {
  const unsigned fp8 = pattern_word(Pattern::scale_fp8, 0, 0),
                 power = pattern_word(Pattern::scale_power, 0, 0);
  for (int i = 0; i < 4; ++i) {
    CHECK(decoded(Pattern::scale_fp8, &fp8, i) == 1);
    CHECK(decoded(Pattern::scale_power, &power, i) == 1);
  }
}
