#pragma once

#include "model/probe/cuda/patterns.hpp"

#include <cstdint>

struct CUstream_st;

namespace roofplan::probe::kernels {

using Stream = CUstream_st*;

/// Where a launch goes and how wide the device is.
struct Launch {
  Stream stream = nullptr;
  int multiprocessors = 1;
};

/// All pointers are of device memory, aligned to 16 bytes; all counts of bytes are multiples of 16.
/// Each function queues its kernels and returns; what goes wrong shows in cudaGetLastError().

/// Words that read() leaves behind, one for each warp; their exclusive or is that of all words read.
std::int64_t read_parts(const Launch& launch, std::int64_t bytes);
/// `passes` times, an odd number.
void read(const Launch& launch, const void* from, std::int64_t bytes, int passes, unsigned* parts);
void write(const Launch& launch, void* to, std::int64_t bytes, unsigned word);
void copy(const Launch& launch, const void* from, void* to, std::int64_t bytes);
/// to = a + factor b, in float32; `bytes` of each of the three.
void triad(const Launch& launch, const void* a, const void* b, void* to, float factor, std::int64_t bytes);
void fill(const Launch& launch, void* to, std::int64_t bytes, Pattern pattern, unsigned seed);

/// Add to `found`, which the caller sets to nought, or to `sum`.
void count_unequal(const Launch& launch, const void* a, const void* b, std::int64_t bytes,
                   unsigned long long* found);
void count_other_than(const Launch& launch, const void* a, unsigned word, std::int64_t bytes,
                      unsigned long long* found);
void count_wrong_triads(const Launch& launch, const void* a, const void* b, const void* to, float factor,
                        std::int64_t bytes, unsigned long long* found);
void exclusive_or(const Launch& launch, const void* from, std::int64_t bytes, unsigned* sum);

/// Occupies one multiprocessor for about `cycles`.
void spin(const Launch& launch, long long cycles);
void nothing(const Launch& launch);

/// Decode attention in bfloat16: `caches` sequences times key-value heads, each with `rows` <= 16 query heads
/// against `depth` tokens. Keys and values lie as [cache][token][width], queries and out as
/// [cache][row][width].
struct Attention {
  int caches = 1, rows = 1, depth = 1, width = 128;

  /// Into how many thread blocks each cache is split: the smaller of depth / 128 and 8 blocks a
  /// multiprocessor, both rounded up.
  int parts(int multiprocessors) const;
  std::int64_t scratch_bytes(int multiprocessors) const;
};
/// `width` is 64 or 128; another does nothing.
void attend(const Launch& launch, const Attention& shape, const void* keys, const void* values,
            const void* queries, void* scratch, void* out);

/// Rows of `width` bfloat16 numbers, a multiple of 8.
void add_and_norm(const Launch& launch, const void* branch, const void* residual, void* sum, void* out,
                  int rows, int width);
/// Rows of `from` are twice `width` wide.
void gate_up(const Launch& launch, const void* from, void* out, int rows, int width);
/// Softmax of each row times `scale`, in its place.
void softmax_rows(const Launch& launch, void* scores, int rows, int width, float scale);
void gather_rows(const Launch& launch, const void* from, const int* place, void* out, int rows, int width);
void join_rows(const Launch& launch, const void* from, const int* place, int choices, void* out, int rows,
               int width);
/// bfloat16 to e4m3 or int8, by a fixed scale of 1 or 127; on chips without e4m3 nothing.
void to_fp8(const Launch& launch, const void* from, void* to, std::int64_t count);
void to_int8(const Launch& launch, const void* from, void* to, std::int64_t count);

}  // namespace roofplan::probe::kernels
