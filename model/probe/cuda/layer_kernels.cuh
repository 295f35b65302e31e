#pragma once

// The work between the products of a layer, in bfloat16, eight numbers a load. Needs the helpers of
// attention_kernels.cuh.

namespace roofplan::probe {

constexpr int kRowThreads = 256;

__device__ inline float unpacked(const uint4& v, int i) {
  const unsigned word = word_of(v, i / 2);
  return i % 2 == 0 ? bfloat_low(word) : bfloat_high(word);
}
__device__ inline uint4 packed(const float (&x)[8]) {
  return make_uint4(bfloat_pair(x[0], x[1]), bfloat_pair(x[2], x[3]), bfloat_pair(x[4], x[5]),
                    bfloat_pair(x[6], x[7]));
}

/// sum = residual + branch; out = sum / rms(sum) (RMSNorm, Zhang and Sennrich, arXiv:1910.07467). A block a
/// row.
__global__ void __launch_bounds__(kRowThreads)
    add_and_norm(const uint4* __restrict__ branch, const uint4* __restrict__ residual,
                 uint4* __restrict__ sum, uint4* __restrict__ out, int vectors) {
  __shared__ float squares[kRowThreads / 32];
  const long long row = static_cast<long long>(blockIdx.x) * vectors;
  float square = 0;
  for (int i = static_cast<int>(threadIdx.x); i < vectors; i += kRowThreads) {
    const uint4 a = branch[row + i], b = residual[row + i];
    float x[8];
    for (int k = 0; k < 8; ++k) {
      x[k] = unpacked(a, k) + unpacked(b, k);
      square += x[k] * x[k];
    }
    sum[row + i] = packed(x);
  }
  for (int reach = 16; reach > 0; reach /= 2) square += __shfl_xor_sync(0xffffffffu, square, reach);
  if (threadIdx.x % 32 == 0) squares[threadIdx.x / 32] = square;
  __syncthreads();
  float total = 0;
  for (int w = 0; w < kRowThreads / 32; ++w) total += squares[w];
  const float factor = 1.0f / sqrtf(total / (8.0f * static_cast<float>(vectors)) + 1e-6f);
  for (int i = static_cast<int>(threadIdx.x); i < vectors; i += kRowThreads) {
    const uint4 a = sum[row + i];
    float x[8];
    for (int k = 0; k < 8; ++k) x[k] = factor * unpacked(a, k);
    out[row + i] = packed(x);
  }
}

/// out = silu(gate) up (SwiGLU, Shazeer, arXiv:2002.05202); a row of `from` is the gate, then up, each of
/// `vectors`.
__global__ void __launch_bounds__(kRowThreads)
    gate_up(const uint4* __restrict__ from, uint4* __restrict__ out, long long all, int vectors) {
  const long long i = static_cast<long long>(blockIdx.x) * kRowThreads + threadIdx.x;
  if (i >= all) return;
  const long long gate = i / vectors * 2 * vectors + i % vectors;
  const uint4 a = from[gate], b = from[gate + vectors];
  float x[8];
  for (int k = 0; k < 8; ++k) {
    const float v = unpacked(a, k);
    x[k] = v / (1.0f + exp2f(-kLog2E * v)) * unpacked(b, k);
  }
  out[i] = packed(x);
}

/// The largest or the sum of a number of each thread of a block of kRowThreads.
template <bool kLargest>
__device__ inline float over_block(float own, float* of_warps) {
  for (int reach = 16; reach > 0; reach /= 2) {
    const float other = __shfl_xor_sync(0xffffffffu, own, reach);
    own = kLargest ? fmaxf(own, other) : own + other;
  }
  if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = own;
  __syncthreads();
  float out = of_warps[0];
  for (int w = 1; w < kRowThreads / 32; ++w) out = kLargest ? fmaxf(out, of_warps[w]) : out + of_warps[w];
  __syncthreads();
  return out;
}

/// Each row becomes its softmax; `scale` holds the log2(e) of exp2. A block a row.
__global__ void __launch_bounds__(kRowThreads) softmax_rows(uint4* rows, int vectors, float scale) {
  __shared__ float of_warps[kRowThreads / 32];
  uint4* row = rows + static_cast<long long>(blockIdx.x) * vectors;
  float highest = -INFINITY;
  for (int i = static_cast<int>(threadIdx.x); i < vectors; i += kRowThreads) {
    const uint4 v = row[i];
    for (int k = 0; k < 8; ++k) highest = fmaxf(highest, unpacked(v, k));
  }
  highest = over_block<true>(highest, of_warps);
  float sum = 0;
  for (int i = static_cast<int>(threadIdx.x); i < vectors; i += kRowThreads) {
    const uint4 v = row[i];
    for (int k = 0; k < 8; ++k) sum += exp2f(scale * (unpacked(v, k) - highest));
  }
  const float share = 1.0f / over_block<false>(sum, of_warps);
  for (int i = static_cast<int>(threadIdx.x); i < vectors; i += kRowThreads) {
    const uint4 v = row[i];
    float x[8];
    for (int k = 0; k < 8; ++k) x[k] = share * exp2f(scale * (unpacked(v, k) - highest));
    row[i] = packed(x);
  }
}

/// Row r of `out` is row place[r] of `from`: tokens to their experts. A block a row.
__global__ void __launch_bounds__(kRowThreads)
    gather_rows(const uint4* __restrict__ from, const int* __restrict__ place, uint4* __restrict__ out,
                int vectors) {
  const long long source = static_cast<long long>(place[blockIdx.x]) * vectors;
  const long long target = static_cast<long long>(blockIdx.x) * vectors;
  for (int i = static_cast<int>(threadIdx.x); i < vectors; i += kRowThreads)
    out[target + i] = from[source + i];
}

/// Row r of `out` is the mean of the `choices` rows that place[r choices ...] name: what a token's experts
/// answered. A block a row.
__global__ void __launch_bounds__(kRowThreads)
    join_rows(const uint4* __restrict__ from, const int* __restrict__ place, int choices,
              uint4* __restrict__ out, int vectors) {
  const float share = 1.0f / static_cast<float>(choices);
  for (int i = static_cast<int>(threadIdx.x); i < vectors; i += kRowThreads) {
    float x[8] = {};
    for (int c = 0; c < choices; ++c) {
      const uint4 v = from[static_cast<long long>(place[blockIdx.x * choices + c]) * vectors + i];
      for (int k = 0; k < 8; ++k) x[k] += share * unpacked(v, k);
    }
    out[static_cast<long long>(blockIdx.x) * vectors + i] = packed(x);
  }
}

}  // namespace roofplan::probe
