#pragma once

// Decode attention with the cache of a sequence split over thread blocks (FlashDecoding, Dao et al. 2023) and
// scores and sums on the tensor cores. multiply_16x8x16() must be declared before this file: D += A B of
// bfloat16 with the fragments of mma.m16n8k16 (NVIDIA, PTX ISA, "Matrix Fragments for mma.m16n8k16").

namespace roofplan::probe {

constexpr int kWarps = 4, kTile = 16, kRows = 16;
constexpr float kLog2E = 1.4426950408889634f;

__device__ inline float bfloat_low(unsigned word) {
  return __uint_as_float(word << 16);
}
__device__ inline float bfloat_high(unsigned word) {
  return __uint_as_float(word & 0xffff0000u);
}
/// Rounded to nearest, ties to even.
__device__ inline unsigned bfloat_bits(float value) {
  const unsigned bits = __float_as_uint(value);
  return (bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16;
}
__device__ inline unsigned bfloat_pair(float low, float high) {
  return bfloat_bits(low) | (bfloat_bits(high) << 16);
}
__device__ inline unsigned word_of(const uint4& v, int i) {
  return i == 0 ? v.x : i == 1 ? v.y : i == 2 ? v.z : v.w;
}

/// Running maximum, sum and weighted sum of values of 16 rows of queries in one warp: lane 4 g + t holds rows
/// g and g + 8.
template <int kWidth>
struct WarpState {
  float highest[2] = {-INFINITY, -INFINITY};
  float sum[2] = {0, 0};
  float out[kWidth / 8][4] = {};
};

/// The queries of a lane as fragments A. Within 32 dimensions lane t of a row takes dimensions 8 t to 8 t +
/// 7, so that keys come in loads of 16 bytes; a dot product does not mind the order.
template <int kWidth>
__device__ inline void load_queries(const unsigned short* queries, int rows, int lane,
                                    unsigned (&a)[kWidth / 16][4]) {
  const int g = lane / 4, t = lane % 4;
  for (int step = 0; step < kWidth / 16; ++step) {
    const int dimension = (step / 2 * 4 + t) * 8 + step % 2 * 4;
    for (int r = 0; r < 4; ++r) {
      const int row = g + r % 2 * 8;
      const unsigned* from =
          reinterpret_cast<const unsigned*>(queries + row * kWidth + dimension + r / 2 * 2);
      a[step][r] = row < rows ? *from : 0u;
    }
  }
}

template <int kWidth>
__device__ inline void add_tile(const uint4* __restrict__ keys, const uint4* __restrict__ values, int first,
                                int end, float scale, int lane, const unsigned (&a)[kWidth / 16][4],
                                WarpState<kWidth>& state) {
  constexpr int kKeyLoads = kWidth / 32, kVectors = kWidth / 8;  // vectors of 16 bytes a row
  const int g = lane / 4, t = lane % 4;
  const uint4 zero = make_uint4(0, 0, 0, 0);
  uint4 k[2][kKeyLoads], v[kWidth / 64][4];
  for (int n = 0; n < 2; ++n) {
    const int token = first + 8 * n + g;
    for (int j = 0; j < kKeyLoads; ++j)
      k[n][j] = token < end ? keys[static_cast<long long>(token) * kVectors + j * 4 + t] : zero;
  }
  for (int h = 0; h < kWidth / 64; ++h) {
    for (int r = 0; r < 4; ++r) {
      const int token = first + 2 * t + r % 2 + r / 2 * 8;
      v[h][r] = token < end ? values[static_cast<long long>(token) * kVectors + h * 8 + g] : zero;
    }
  }
  float s[2][4] = {};
  for (int n = 0; n < 2; ++n) {
    for (int j = 0; j < kKeyLoads; ++j) {
      multiply_16x8x16(s[n], a[2 * j], k[n][j].x, k[n][j].y);
      multiply_16x8x16(s[n], a[2 * j + 1], k[n][j].z, k[n][j].w);
    }
  }
  for (int row = 0; row < 2; ++row) {
    float highest = state.highest[row];
    for (int n = 0; n < 2; ++n) {
      for (int c = 0; c < 2; ++c) {
        float& score = s[n][2 * row + c];
        score = first + 8 * n + 2 * t + c < end ? score * scale : -INFINITY;
        highest = fmaxf(highest, score);
      }
    }
    for (int reach = 1; reach <= 2; reach *= 2)
      highest = fmaxf(highest, __shfl_xor_sync(0xffffffffu, highest, reach));
    const float kept = exp2f(state.highest[row] - highest);
    state.highest[row] = highest;
    state.sum[row] *= kept;
    for (int n = 0; n < 2; ++n) {
      for (int c = 0; c < 2; ++c) {
        float& score = s[n][2 * row + c];
        score = exp2f(score - highest);
        state.sum[row] += score;
      }
    }
    for (int d = 0; d < kWidth / 8; ++d) {
      state.out[d][2 * row] *= kept;
      state.out[d][2 * row + 1] *= kept;
    }
  }
  // Scores of two blocks of tokens are the fragment A of the second product as they lie.
  const unsigned p[4] = {bfloat_pair(s[0][0], s[0][1]), bfloat_pair(s[0][2], s[0][3]),
                         bfloat_pair(s[1][0], s[1][1]), bfloat_pair(s[1][2], s[1][3])};
  for (int h = 0; h < kWidth / 64; ++h) {
    for (int d = 0; d < 8; ++d) {
      const unsigned pick = d % 2 == 0 ? 0x5410u : 0x7632u;
      const unsigned b0 = __byte_perm(word_of(v[h][0], d / 2), word_of(v[h][1], d / 2), pick);
      const unsigned b1 = __byte_perm(word_of(v[h][2], d / 2), word_of(v[h][3], d / 2), pick);
      multiply_16x8x16(state.out[h * 8 + d], p, b0, b1);
    }
  }
}

/// What a part of a cache contributes: for each row the maximum, the sum and kWidth weighted sums.
template <int kWidth>
constexpr int kPartFloats = kRows*(kWidth + 2);

/// Block (unit, part): up to 16 query heads of one sequence against one part of its cache. `scale` holds the
/// log2(e) of exp2.
template <int kWidth>
__global__ void __launch_bounds__(kWarps * 32, 2)
    attend_parts(const uint4* __restrict__ keys, const uint4* __restrict__ values,
                 const unsigned short* __restrict__ queries, float* __restrict__ parts, int depth,
                 int part_tokens, int rows, float scale) {
  __shared__ float shared[kWarps][kRows][kWidth + 2];
  const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
  const int g = lane / 4, t = lane % 4;
  const long long cache = static_cast<long long>(blockIdx.x) * depth * (kWidth / 8);
  const int begin = static_cast<int>(blockIdx.y) * part_tokens;
  const int end = begin + part_tokens < depth ? begin + part_tokens : depth;
  unsigned a[kWidth / 16][4];
  load_queries<kWidth>(queries + static_cast<long long>(blockIdx.x) * rows * kWidth, rows, lane, a);
  WarpState<kWidth> state;
  for (int first = begin + warp * kTile; first < end; first += kWarps * kTile)
    add_tile<kWidth>(keys + cache, values + cache, first, end, scale, lane, a, state);

  for (int row = 0; row < 2; ++row) {
    float sum = state.sum[row];
    for (int reach = 1; reach <= 2; reach *= 2) sum += __shfl_xor_sync(0xffffffffu, sum, reach);
    float* to = shared[warp][g + 8 * row];
    if (t == 0) {
      to[kWidth] = state.highest[row];
      to[kWidth + 1] = sum;
    }
    for (int d = 0; d < kWidth / 8; ++d) {
      for (int c = 0; c < 2; ++c) to[d / 8 * 64 + (2 * t + c) * 8 + d % 8] = state.out[d][2 * row + c];
    }
  }
  __syncthreads();
  float* to = parts + (static_cast<long long>(blockIdx.x) * gridDim.y + blockIdx.y) * kPartFloats<kWidth>;
  for (int i = static_cast<int>(threadIdx.x); i < kPartFloats<kWidth>; i += kWarps * 32) {
    const int row = i / (kWidth + 2), column = i % (kWidth + 2);
    float highest = -INFINITY;
    for (int w = 0; w < kWarps; ++w) highest = fmaxf(highest, shared[w][row][kWidth]);
    float sum = 0;
    for (int w = 0; w < kWarps; ++w) sum += exp2f(shared[w][row][kWidth] - highest) * shared[w][row][column];
    to[i] = column == kWidth ? highest : sum;
  }
}

/// Adds up the parts of a unit; block (unit, row), a thread for each dimension.
template <int kWidth>
__global__ void __launch_bounds__(kWidth)
    join_parts(const float* __restrict__ parts, unsigned short* __restrict__ out, int count, int rows) {
  const int row = static_cast<int>(blockIdx.y), d = static_cast<int>(threadIdx.x);
  const float* from =
      parts + static_cast<long long>(blockIdx.x) * count * kPartFloats<kWidth> + row * (kWidth + 2);
  float highest = -INFINITY;
  for (int i = 0; i < count; ++i)
    highest = fmaxf(highest, from[static_cast<long long>(i) * kPartFloats<kWidth> + kWidth]);
  float sum = 0, weighted = 0;
  for (int i = 0; i < count; ++i) {
    const float* part = from + static_cast<long long>(i) * kPartFloats<kWidth>;
    const float weight = exp2f(part[kWidth] - highest);
    sum += weight * part[kWidth + 1];
    weighted += weight * part[d];
  }
  out[(static_cast<long long>(blockIdx.x) * rows + row) * kWidth + d] =
      static_cast<unsigned short>(bfloat_bits(weighted / sum));
}

}  // namespace roofplan::probe
