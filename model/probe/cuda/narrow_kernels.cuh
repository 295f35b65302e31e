#pragma once

// Quantising of activations before a product in eight bits, eight numbers a thread. Needs unpacked() of
// layer_kernels.cuh.

namespace roofplan::probe {

enum class Narrow { fp8, int8 };

/// Two numbers to two of e4m3, the first in the lower byte, saturated; nought where the chip has none.
__device__ inline unsigned two_of_fp8(float low, float high) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 890
  unsigned short out;
  asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(out) : "f"(high), "f"(low));
  return out;
#else
  return static_cast<void>(low), static_cast<void>(high), 0u;
#endif
}
__device__ inline unsigned one_of_int8(float value) {
  const float scaled = fminf(fmaxf(rintf(127.0f * value), -127.0f), 127.0f);
  return static_cast<unsigned>(static_cast<int>(scaled)) & 0xffu;
}

template <Narrow kTo>
__global__ void narrow(const uint4* __restrict__ from, uint2* __restrict__ to, long long vectors) {
  const long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= vectors) return;
  const uint4 v = from[i];
  unsigned words[2] = {};
  for (int k = 0; k < 8; k += 2) {
    const float low = unpacked(v, k), high = unpacked(v, k + 1);
    const unsigned two =
        kTo == Narrow::fp8 ? two_of_fp8(low, high) : one_of_int8(low) | (one_of_int8(high) << 8);
    words[k / 4] |= two << (16 * (k / 2 % 2));
  }
  to[i] = make_uint2(words[0], words[1]);
}

}  // namespace roofplan::probe
