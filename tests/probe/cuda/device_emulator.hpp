#pragma once

// Runs device code on the host: a thread of the machine for each thread of a block, block after block. Enough
// of CUDA's language for the kernels of model/probe/cuda, which are included after this file.

#include <algorithm>
#include <array>
#include <barrier>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#define __global__ [[maybe_unused]] static  // the program has real ones of the same name
#define __device__
#define __shared__ static
#define __restrict__
#define __launch_bounds__(...)

namespace emulated {

struct Place {
  unsigned x = 0, y = 0, z = 0;
};
inline thread_local Place thread, block;
inline Place grid, block_size;
inline std::unique_ptr<std::barrier<>> all;
inline std::vector<std::unique_ptr<std::barrier<>>> warps;
inline std::vector<std::array<std::uint32_t, 6>> lanes;  // what each thread shows the others of its warp
inline std::mutex atomic;

inline unsigned warp() {
  return thread.x / 32;
}
inline void warp_waits() {
  warps[warp()]->arrive_and_wait();
}

/// Shows words to the warp while `look` reads those of others, lanes[warp() * 32 + i] of lane i.
template <class Look>
void among_lanes(const std::array<std::uint32_t, 6>& shown, const Look& look) {
  lanes[thread.x] = shown;
  warp_waits();
  look(&lanes[warp() * 32]);
  warp_waits();
}

/// The value of another lane, of 32 bits.
template <class T>
T exchanged(T value, unsigned from_lane) {
  static_assert(sizeof(T) == 4);
  std::array<std::uint32_t, 6> shown{};
  std::memcpy(shown.data(), &value, 4);
  T out;
  among_lanes(shown, [&](const auto* warp) { std::memcpy(&out, warp[from_lane].data(), 4); });
  return out;
}

/// A launch of `kernel` over the grid.
inline void launch(Place blocks, unsigned threads, const std::function<void()>& kernel) {
  grid = blocks;
  block_size = {threads, 1, 1};
  for (unsigned y = 0; y < std::max(1u, blocks.y); ++y) {
    for (unsigned x = 0; x < blocks.x; ++x) {
      all = std::make_unique<std::barrier<>>(threads);
      lanes.assign(threads, {});
      warps.clear();
      for (unsigned first = 0; first < threads; first += 32)
        warps.push_back(std::make_unique<std::barrier<>>(std::min(32u, threads - first)));
      std::vector<std::thread> running;
      for (unsigned t = 0; t < threads; ++t) {
        running.emplace_back([=] {
          thread = {t, 0, 0};
          block = {x, y, 0};
          kernel();
        });
      }
      for (std::thread& r : running) r.join();
    }
  }
}

}  // namespace emulated

#define threadIdx emulated::thread
#define blockIdx emulated::block
#define gridDim emulated::grid
#define blockDim emulated::block_size

struct uint2 {
  unsigned x, y;
};
struct uint4 {
  unsigned x, y, z, w;
};
struct float4 {
  float x, y, z, w;
};
inline uint2 make_uint2(unsigned x, unsigned y) {
  return {x, y};
}
inline uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w) {
  return {x, y, z, w};
}
inline float4 make_float4(float x, float y, float z, float w) {
  return {x, y, z, w};
}

inline void __syncthreads() {
  emulated::all->arrive_and_wait();
}
template <class T>
T __shfl_xor_sync(unsigned, T value, int reach) {
  return emulated::exchanged(value, (emulated::thread.x % 32) ^ static_cast<unsigned>(reach));
}
template <class T>
T __ldcs(const T* from) {
  return *from;
}
template <class T>
void __stcs(T* to, T value) {
  *to = value;
}
template <class T>
void atomicAdd(T* to, T value) {
  const std::scoped_lock lock(emulated::atomic);
  *to += value;
}
template <class T>
void atomicXor(T* to, T value) {
  const std::scoped_lock lock(emulated::atomic);
  *to ^= value;
}
inline float __uint_as_float(unsigned bits) {
  float out;
  std::memcpy(&out, &bits, sizeof out);
  return out;
}
inline unsigned __float_as_uint(float value) {
  unsigned out;
  std::memcpy(&out, &value, sizeof out);
  return out;
}
/// Byte i of the result is the byte of b:a that digit i of `pick` names.
inline unsigned __byte_perm(unsigned a, unsigned b, unsigned pick) {
  const std::uint64_t both = (static_cast<std::uint64_t>(b) << 32) | a;
  unsigned out = 0;
  for (int i = 0; i < 4; ++i)
    out |= static_cast<unsigned>(both >> (8 * ((pick >> (4 * i)) & 7u)) & 0xffu) << (8 * i);
  return out;
}
inline long long clock64() {
  return 0;
}

namespace roofplan::probe {

/// mma.m16n8k16 by its definition: fragments are collected from the warp into matrices (PTX ISA, "Matrix
/// Fragments for mma.m16n8k16 with floating point type").
inline void multiply_16x8x16(float (&d)[4], const unsigned (&a)[4], unsigned b0, unsigned b1) {
  const auto half = [](unsigned word, unsigned i) { return __uint_as_float((word >> (16 * i)) << 16); };
  const unsigned lane = emulated::thread.x % 32, group = lane / 4, member = lane % 4;
  float rows[2][16], columns[2][16];  // rows group and group + 8 of A, columns 2 member and the next of B
  emulated::among_lanes({a[0], a[1], a[2], a[3], b0, b1}, [&](const auto* warp) {
    for (unsigned t = 0; t < 4; ++t) {
      for (unsigned i = 0; i < 2; ++i) {
        for (unsigned r = 0; r < 4; ++r)
          rows[r % 2][2 * t + i + 8 * (r / 2)] = half(warp[group * 4 + t][r], i);
        for (unsigned c = 0; c < 2; ++c) {
          const auto& owner = warp[(2 * member + c) * 4 + t];
          columns[c][2 * t + i] = half(owner[4], i);
          columns[c][2 * t + i + 8] = half(owner[5], i);
        }
      }
    }
  });
  for (unsigned r = 0; r < 2; ++r) {
    for (unsigned c = 0; c < 2; ++c) {
      for (int k = 0; k < 16; ++k) d[2 * r + c] += rows[r][k] * columns[c][k];
    }
  }
}

}  // namespace roofplan::probe
