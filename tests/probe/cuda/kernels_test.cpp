// The emulator says what the words of device code mean; it goes first.
// clang-format off
#include "tests/probe/cuda/device_emulator.hpp"

#include "model/probe/cuda/memory_kernels.cuh"
#include "model/probe/cuda/attention_kernels.cuh"
#include "model/probe/cuda/layer_kernels.cuh"
#include "model/probe/cuda/narrow_kernels.cuh"
#include "model/probe/cuda/attention_check.hpp"
#include "model/probe/cuda/number_bits.hpp"
// clang-format on

#include <catch2/catch.hpp>

#include <algorithm>

using namespace roofplan::probe;

namespace {

/// Numbers of a pattern in memory that is aligned for vectors.
struct Filled {
  Filled(Pattern pattern, std::size_t bytes, unsigned seed) : words((bytes + 15) / 16) {
    auto* to = reinterpret_cast<unsigned*>(words.data());
    for (std::size_t i = 0; i < bytes / 4; ++i) to[i] = pattern_word(pattern, seed, i);
  }
  double at(Pattern pattern, std::size_t i) const {
    return decoded(pattern, words.data(), static_cast<std::int64_t>(i));
  }
  const uint4* vectors() const { return words.data(); }
  const unsigned short* halves() const { return reinterpret_cast<const unsigned short*>(words.data()); }

  std::vector<uint4> words;
};

double bfloat(unsigned short bits) {
  return static_cast<double>(__uint_as_float(static_cast<unsigned>(bits) << 16));
}

/// A query row against a cache, in double.
std::vector<double> attended(const Filled& q, const Filled& k, const Filled& v, std::size_t cache,
                             std::size_t row, std::size_t rows, std::size_t depth, std::size_t width) {
  std::vector<double> weights(depth), out(width, 0.0);
  const auto at = [](const Filled& m, std::size_t i) { return m.at(Pattern::bfloat16, i); };
  double sum = 0;
  for (std::size_t t = 0; t < depth; ++t) {
    double dot = 0;
    for (std::size_t d = 0; d < width; ++d)
      dot += at(q, (cache * rows + row) * width + d) * at(k, (cache * depth + t) * width + d);
    weights[t] = std::exp(dot / std::sqrt(static_cast<double>(width)));
    sum += weights[t];
  }
  for (std::size_t t = 0; t < depth; ++t)
    for (std::size_t d = 0; d < width; ++d)
      out[d] += weights[t] / sum * at(v, (cache * depth + t) * width + d);
  return out;
}

template <int kWidth>
void check_attention(int caches, int rows, int depth, int part_tokens) {
  const auto c = static_cast<std::size_t>(caches), r = static_cast<std::size_t>(rows),
             n = static_cast<std::size_t>(depth);
  const Filled q(Pattern::bfloat16, 2 * c * r * kWidth, 1), k(Pattern::bfloat16, 2 * c * n * kWidth, 2),
      v(Pattern::bfloat16, 2 * c * n * kWidth, 3);
  const int parts = (depth + part_tokens - 1) / part_tokens;
  std::vector<float> scratch(c * static_cast<std::size_t>(parts) * kPartFloats<kWidth>, -7.0f);
  std::vector<unsigned short> out(c * r * kWidth, 0xffff);
  const float scale = kLog2E / std::sqrt(static_cast<float>(kWidth));
  emulated::launch({static_cast<unsigned>(caches), static_cast<unsigned>(parts)}, kWarps * 32, [&] {
    attend_parts<kWidth>(k.vectors(), v.vectors(), q.halves(), scratch.data(), depth, part_tokens, rows,
                         scale);
  });
  emulated::launch({static_cast<unsigned>(caches), static_cast<unsigned>(rows)}, kWidth,
                   [&] { join_parts<kWidth>(scratch.data(), out.data(), parts, rows); });
  double worst = 0;
  for (std::size_t cache = 0; cache < c; ++cache) {
    for (std::size_t row = 0; row < r; ++row) {
      const auto wanted = attended(q, k, v, cache, row, r, n, kWidth);
      for (std::size_t d = 0; d < kWidth; ++d)
        worst = std::max(worst, std::abs(bfloat(out[(cache * r + row) * kWidth + d]) - wanted[d]));
    }
  }
  // Weights are rounded to eight bits, each by up to 1/256 of itself; values lie in [-1, 1).
  CHECK(worst < 0.004);
}

}  // namespace

TEST_CASE("decode attention on the tensor cores is softmax attention", "[probe][cuda][slow]") {
  check_attention<128>(1, 4, 16, 16);   // one tile, one part
  check_attention<128>(2, 8, 150, 80);  // two parts, the last tile half empty
  check_attention<64>(1, 16, 40, 32);   // all sixteen rows, the narrow head
}

TEST_CASE("reading sums every word once for any odd number of passes", "[probe][cuda]") {
  const Filled memory(Pattern::int8, 16 * 5000, 5);
  unsigned wanted = 0;
  for (const uint4& v : memory.words) wanted ^= v.x ^ v.y ^ v.z ^ v.w;
  for (const int passes : {1, 3}) {
    std::vector<unsigned> parts(2 * kThreads / 32, 0);
    emulated::launch({2}, kThreads,
                     [&] { read_all(memory.vectors(), memory.words.size(), passes, parts.data()); });
    unsigned sum = 0;
    for (const unsigned part : parts) sum ^= part;
    CHECK(sum == wanted);
  }
}

TEST_CASE("copies and triads reach the last odd vector and no further", "[probe][cuda]") {
  const std::size_t count = kChunk + 77;
  const Filled from(Pattern::float32, 16 * count, 1), other(Pattern::float32, 16 * count, 2);
  std::vector<uint4> to(count + 1, uint4{9, 9, 9, 9});
  emulated::launch({2}, kThreads, [&] { copy_all(from.vectors(), to.data(), count); });
  CHECK(std::equal(from.words.begin(), from.words.end(), to.begin(), [](const uint4& a, const uint4& b) {
    return a.x == b.x && a.y == b.y && a.z == b.z && a.w == b.w;
  }));
  CHECK(to[count].x == 9);
  const auto floats = [](const Filled& f) { return reinterpret_cast<const float4*>(f.words.data()); };
  emulated::launch({2}, kThreads, [&] {
    triad_all(floats(from), floats(other), reinterpret_cast<float4*>(to.data()), 3.0f, count);
  });
  Index wrong = 0;
  const auto* a = reinterpret_cast<const float*>(from.words.data());
  const auto* b = reinterpret_cast<const float*>(other.words.data());
  auto* sums = reinterpret_cast<float*>(to.data());
  emulated::launch({1}, kThreads, [&] { count_wrong_triads(a, b, sums, 3.0f, 4 * count, &wrong); });
  CHECK(wrong == 0);
  CHECK(to[count].x == 9);
  sums[4 * count - 1] += 0.5f;
  emulated::launch({1}, kThreads, [&] { count_wrong_triads(a, b, sums, 3.0f, 4 * count, &wrong); });
  CHECK(wrong == 1);  // the check can fail
}

TEST_CASE("norm, gate, gathering and joining are what their formulas say", "[probe][cuda]") {
  constexpr std::size_t kWidth = 64;
  const Filled x(Pattern::bfloat16, 2 * 2 * kWidth, 1), y(Pattern::bfloat16, 2 * 2 * kWidth, 2);
  std::vector<uint4> sum(2 * kWidth / 8), out(2 * kWidth / 8);
  const auto number = [](const std::vector<uint4>& m, std::size_t i) {
    return decoded(Pattern::bfloat16, m.data(), static_cast<std::int64_t>(i));
  };
  emulated::launch({2}, kRowThreads,
                   [&] { add_and_norm(x.vectors(), y.vectors(), sum.data(), out.data(), kWidth / 8); });
  double square = 0;
  const auto added = [&](std::size_t i) { return x.at(Pattern::bfloat16, i) + y.at(Pattern::bfloat16, i); };
  for (std::size_t i = kWidth; i < 2 * kWidth; ++i) square += added(i) * added(i) / kWidth;
  for (std::size_t i = kWidth; i < 2 * kWidth; ++i)
    CHECK(number(out, i) == Approx(added(i) / std::sqrt(square)).epsilon(0.01).margin(1e-3));

  // One row of gate and up, half as wide each.
  emulated::launch({1}, kRowThreads, [&] { gate_up(x.vectors(), out.data(), kWidth / 16, kWidth / 16); });
  for (std::size_t i = 0; i < kWidth / 2; ++i) {
    const double gate = x.at(Pattern::bfloat16, i), up = x.at(Pattern::bfloat16, i + kWidth / 2);
    CHECK(number(out, i) == Approx(gate / (1 + std::exp(-gate)) * up).epsilon(0.01).margin(1e-4));
  }

  const std::vector<int> place{1, 0};
  emulated::launch({2}, kRowThreads, [&] { gather_rows(x.vectors(), place.data(), out.data(), kWidth / 8); });
  CHECK(number(out, 3) == x.at(Pattern::bfloat16, kWidth + 3));
  emulated::launch({1}, kRowThreads,
                   [&] { join_rows(x.vectors(), place.data(), 2, out.data(), kWidth / 8); });
  CHECK(number(out, 5) == Approx((x.at(Pattern::bfloat16, 5) + x.at(Pattern::bfloat16, kWidth + 5)) / 2)
                              .epsilon(0.01)
                              .margin(1e-3));
}

TEST_CASE("rows become their softmax in place, short and long ones", "[probe][cuda]") {
  for (const std::size_t width : {std::size_t{24}, std::size_t{8 * kRowThreads + 40}}) {
    const Filled before(Pattern::bfloat16, 2 * 2 * width, 6);
    std::vector<uint4> rows = before.words;
    constexpr float kScale = 2.0f;
    emulated::launch({2}, kRowThreads,
                     [&] { softmax_rows(rows.data(), static_cast<int>(width / 8), kLog2E * kScale); });
    for (std::size_t row = 0; row < 2; ++row) {
      double sum = 0, total = 0;
      for (std::size_t i = 0; i < width; ++i)
        sum += std::exp(2.0 * before.at(Pattern::bfloat16, row * width + i));
      for (std::size_t i = 0; i < width; ++i) {
        const double wanted = std::exp(2.0 * before.at(Pattern::bfloat16, row * width + i)) / sum;
        const double found =
            decoded(Pattern::bfloat16, rows.data(), static_cast<std::int64_t>(row * width + i));
        if (!(std::abs(found - wanted) <= wanted / 128)) FAIL("row " << row << ", number " << i);
        total += found;
      }
      CHECK(total == Approx(1).epsilon(0.005));
    }
  }
}

TEST_CASE("attention of a latent cache takes its values from the rows of its keys", "[probe][cuda]") {
  // Two tokens, keys 3 wide, the first 2 of them values. Scores 0 and ln 3 x sqrt 3 / sqrt 3: weights 1/4, 3/4.
  const double far = std::log(3.0) * std::sqrt(3.0);
  const std::vector<double> cache{0.2, 0.4, 0.0, 0.6, -0.8, far};
  const auto out = attended({0, 0, 1}, {cache, cache, 3, 2, 3});
  REQUIRE(out.size() == 2);
  CHECK(out[0] == Approx(0.25 * 0.2 + 0.75 * 0.6));
  CHECK(out[1] == Approx(0.25 * 0.4 - 0.75 * 0.8));
  CHECK(attention_right({0.5, -0.5}, out));
  CHECK_FALSE(attention_right({0.51, -0.5}, out));
}

TEST_CASE("activations are rounded to whole steps of int8", "[probe][cuda]") {
  const Filled x(Pattern::bfloat16, 16, 4);
  uint2 out{};
  emulated::launch({1}, 32, [&] { narrow<Narrow::int8>(x.vectors(), &out, 1); });
  for (std::size_t i = 0; i < 8; ++i)
    CHECK(decoded(Pattern::int8, &out, static_cast<std::int64_t>(i)) ==
          std::rint(127 * x.at(Pattern::bfloat16, i)));
}
