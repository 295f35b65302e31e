#pragma once

// Device code of the memory probes. Free of includes, so that a test can run it on the host, thread by
// thread.

#include "model/probe/cuda/patterns.hpp"

namespace roofplan::probe {

using Index = unsigned long long;

/// A block reads or writes kBatches times its threads' vectors of 16 bytes, all loads before the first use.
constexpr int kThreads = 256, kBatches = 4, kChunk = kThreads * kBatches;

/// Exclusive or of all words, a part for each warp of the grid; each of the `passes`, an odd number, leaves
/// the same. From pass to pass a block takes over its neighbour's part, which it does not have in a cache of
/// its own.
__global__ void __launch_bounds__(kThreads)
    read_all(const uint4* __restrict__ from, Index count, int passes, unsigned* parts) {
  const Index stride = static_cast<Index>(gridDim.x) * kThreads;
  unsigned sum = 0;
  for (int pass = 0; pass < passes; ++pass) {
    const unsigned block = (blockIdx.x + static_cast<unsigned>(pass)) % gridDim.x;
    Index i = static_cast<Index>(block) * kThreads + threadIdx.x;
    for (; i + (kBatches - 1) * stride < count; i += kBatches * stride) {
      uint4 v[kBatches];
      for (int b = 0; b < kBatches; ++b) v[b] = from[i + b * stride];
      for (int b = 0; b < kBatches; ++b) sum ^= v[b].x ^ v[b].y ^ v[b].z ^ v[b].w;
    }
    for (; i < count; i += stride) {
      const uint4 v = from[i];
      sum ^= v.x ^ v.y ^ v.z ^ v.w;
    }
  }
  for (int reach = 16; reach > 0; reach /= 2) sum ^= __shfl_xor_sync(0xffffffffu, sum, reach);
  if (threadIdx.x % 32 == 0) parts[blockIdx.x * (kThreads / 32) + threadIdx.x / 32] = sum;
}

__global__ void __launch_bounds__(kThreads) write_all(uint4* __restrict__ to, Index count, unsigned word) {
  const Index first = static_cast<Index>(blockIdx.x) * kChunk + threadIdx.x;
  for (int b = 0; b < kBatches; ++b) {
    const Index i = first + static_cast<Index>(b) * kThreads;
    if (i < count) to[i] = make_uint4(word, word, word, word);
  }
}

__global__ void __launch_bounds__(kThreads)
    copy_all(const uint4* __restrict__ from, uint4* __restrict__ to, Index count) {
  const Index first = static_cast<Index>(blockIdx.x) * kChunk + threadIdx.x;
  uint4 v[kBatches];
  for (int b = 0; b < kBatches; ++b) {
    const Index i = first + static_cast<Index>(b) * kThreads;
    if (i < count) v[b] = __ldcs(from + i);
  }
  for (int b = 0; b < kBatches; ++b) {
    const Index i = first + static_cast<Index>(b) * kThreads;
    if (i < count) __stcs(to + i, v[b]);
  }
}

/// to = a + factor b (the triad of STREAM, McCalpin 1995).
__global__ void __launch_bounds__(kThreads)
    triad_all(const float4* __restrict__ a, const float4* __restrict__ b, float4* __restrict__ to,
              float factor, Index count) {
  const Index first = static_cast<Index>(blockIdx.x) * kChunk + threadIdx.x;
  float4 va[kBatches], vb[kBatches];
  for (int k = 0; k < kBatches; ++k) {
    const Index i = first + static_cast<Index>(k) * kThreads;
    if (i < count) {
      va[k] = a[i];
      vb[k] = b[i];
    }
  }
  for (int k = 0; k < kBatches; ++k) {
    const Index i = first + static_cast<Index>(k) * kThreads;
    if (i < count)
      to[i] = make_float4(va[k].x + factor * vb[k].x, va[k].y + factor * vb[k].y, va[k].z + factor * vb[k].z,
                          va[k].w + factor * vb[k].w);
  }
}

/// Words of `pattern`, each from its place alone.
__global__ void __launch_bounds__(kThreads)
    fill_all(unsigned* to, Index count, Pattern pattern, unsigned seed) {
  const Index stride = static_cast<Index>(gridDim.x) * kThreads;
  for (Index i = static_cast<Index>(blockIdx.x) * kThreads + threadIdx.x; i < count; i += stride)
    to[i] = pattern_word(pattern, seed, i);
}

// What checks the others is plain and slow, so that it does not share their faults.

__global__ void __launch_bounds__(kThreads)
    count_unequal(const unsigned* a, const unsigned* b, Index count, Index* found) {
  const Index stride = static_cast<Index>(gridDim.x) * kThreads;
  for (Index i = static_cast<Index>(blockIdx.x) * kThreads + threadIdx.x; i < count; i += stride)
    if (a[i] != b[i]) atomicAdd(found, Index{1});
}

__global__ void __launch_bounds__(kThreads)
    count_other_than(const unsigned* a, unsigned word, Index count, Index* found) {
  const Index stride = static_cast<Index>(gridDim.x) * kThreads;
  for (Index i = static_cast<Index>(blockIdx.x) * kThreads + threadIdx.x; i < count; i += stride)
    if (a[i] != word) atomicAdd(found, Index{1});
}

__global__ void __launch_bounds__(kThreads)
    count_wrong_triads(const float* a, const float* b, const float* to, float factor, Index count,
                       Index* found) {
  const Index stride = static_cast<Index>(gridDim.x) * kThreads;
  for (Index i = static_cast<Index>(blockIdx.x) * kThreads + threadIdx.x; i < count; i += stride) {
    const float wanted = a[i] + factor * b[i];
    if (!(fabsf(to[i] - wanted) <= 1e-5f * (1.0f + fabsf(wanted)))) atomicAdd(found, Index{1});
  }
}

__global__ void __launch_bounds__(kThreads)
    exclusive_or_of(const unsigned* from, Index count, unsigned* sum) {
  const Index stride = static_cast<Index>(gridDim.x) * kThreads;
  unsigned own = 0;
  for (Index i = static_cast<Index>(blockIdx.x) * kThreads + threadIdx.x; i < count; i += stride)
    own ^= from[i];
  atomicXor(sum, own);
}

/// Runs for about `cycles` of the multiprocessor's clock: what is queued behind it starts without a gap.
__global__ void spin(long long cycles) {
  const long long start = clock64();
  while (clock64() - start < cycles) {
  }
}

__global__ void nothing() {}

}  // namespace roofplan::probe
