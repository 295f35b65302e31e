#include "model/probe/cuda/kernels.hpp"
#include "model/probe/cuda/memory_kernels.cuh"

namespace roofplan::probe {

/// D += A B, 16 x 16 times 16 x 8 in bfloat16 with sums in float32.
__device__ inline void multiply_16x8x16(float (&d)[4], const unsigned (&a)[4], unsigned b0, unsigned b1) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
      "{%0,%1,%2,%3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

}  // namespace roofplan::probe

#include "model/probe/cuda/attention_kernels.cuh"
#include "model/probe/cuda/layer_kernels.cuh"
#include "model/probe/cuda/narrow_kernels.cuh"

namespace roofplan::probe::kernels {
namespace {

constexpr int kVector = 16, kWord = 4;

unsigned blocks(std::int64_t count, std::int64_t each) {
  return static_cast<unsigned>((count + each - 1) / each);
}

unsigned resident_blocks(const Launch& launch, std::int64_t count) {
  constexpr std::int64_t kPerMultiprocessor = 8;
  const std::int64_t wanted = blocks(count, kThreads), most = kPerMultiprocessor * launch.multiprocessors;
  return static_cast<unsigned>(wanted < most ? (wanted > 0 ? wanted : 1) : most);
}

template <int kWidth>
void attend_wide(const Launch& launch, const Attention& shape, const void* keys, const void* values,
                 const void* queries, void* scratch, void* out) {
  const int parts = shape.parts(launch.multiprocessors);
  const int even = (shape.depth + parts - 1) / parts, part_tokens = (even + kTile - 1) / kTile * kTile;
  const int used = (shape.depth + part_tokens - 1) / part_tokens;
  const float scale = kLog2E / sqrtf(static_cast<float>(kWidth));
  attend_parts<kWidth>
      <<<dim3(static_cast<unsigned>(shape.caches), static_cast<unsigned>(used)), kWarps * 32, 0,
         launch.stream>>>(static_cast<const uint4*>(keys), static_cast<const uint4*>(values),
                          static_cast<const unsigned short*>(queries), static_cast<float*>(scratch),
                          shape.depth, part_tokens, shape.rows, scale);
  join_parts<kWidth><<<dim3(static_cast<unsigned>(shape.caches), static_cast<unsigned>(shape.rows)), kWidth,
                       0, launch.stream>>>(static_cast<const float*>(scratch),
                                           static_cast<unsigned short*>(out), used, shape.rows);
}

}  // namespace

std::int64_t read_parts(const Launch& launch, std::int64_t bytes) {
  return static_cast<std::int64_t>(resident_blocks(launch, bytes / kVector / kBatches)) * (kThreads / 32);
}
void read(const Launch& launch, const void* from, std::int64_t bytes, int passes, unsigned* parts) {
  const std::int64_t count = bytes / kVector;
  read_all<<<resident_blocks(launch, count / kBatches), kThreads, 0, launch.stream>>>(
      static_cast<const uint4*>(from), static_cast<Index>(count), passes, parts);
}
void write(const Launch& launch, void* to, std::int64_t bytes, unsigned word) {
  const std::int64_t count = bytes / kVector;
  write_all<<<blocks(count, kChunk), kThreads, 0, launch.stream>>>(static_cast<uint4*>(to),
                                                                   static_cast<Index>(count), word);
}
void copy(const Launch& launch, const void* from, void* to, std::int64_t bytes) {
  const std::int64_t count = bytes / kVector;
  copy_all<<<blocks(count, kChunk), kThreads, 0, launch.stream>>>(
      static_cast<const uint4*>(from), static_cast<uint4*>(to), static_cast<Index>(count));
}
void triad(const Launch& launch, const void* a, const void* b, void* to, float factor, std::int64_t bytes) {
  const std::int64_t count = bytes / kVector;
  triad_all<<<blocks(count, kChunk), kThreads, 0, launch.stream>>>(
      static_cast<const float4*>(a), static_cast<const float4*>(b), static_cast<float4*>(to), factor,
      static_cast<Index>(count));
}
void fill(const Launch& launch, void* to, std::int64_t bytes, Pattern pattern, unsigned seed) {
  const std::int64_t count = bytes / kWord;
  fill_all<<<resident_blocks(launch, count), kThreads, 0, launch.stream>>>(
      static_cast<unsigned*>(to), static_cast<Index>(count), pattern, seed);
}

void count_unequal(const Launch& launch, const void* a, const void* b, std::int64_t bytes,
                   unsigned long long* found) {
  const std::int64_t count = bytes / kWord;
  probe::count_unequal<<<resident_blocks(launch, count), kThreads, 0, launch.stream>>>(
      static_cast<const unsigned*>(a), static_cast<const unsigned*>(b), static_cast<Index>(count), found);
}
void count_other_than(const Launch& launch, const void* a, unsigned word, std::int64_t bytes,
                      unsigned long long* found) {
  const std::int64_t count = bytes / kWord;
  probe::count_other_than<<<resident_blocks(launch, count), kThreads, 0, launch.stream>>>(
      static_cast<const unsigned*>(a), word, static_cast<Index>(count), found);
}
void count_wrong_triads(const Launch& launch, const void* a, const void* b, const void* to, float factor,
                        std::int64_t bytes, unsigned long long* found) {
  const std::int64_t count = bytes / kWord;
  probe::count_wrong_triads<<<resident_blocks(launch, count), kThreads, 0, launch.stream>>>(
      static_cast<const float*>(a), static_cast<const float*>(b), static_cast<const float*>(to), factor,
      static_cast<Index>(count), found);
}
void exclusive_or(const Launch& launch, const void* from, std::int64_t bytes, unsigned* sum) {
  const std::int64_t count = bytes / kWord;
  exclusive_or_of<<<resident_blocks(launch, count), kThreads, 0, launch.stream>>>(
      static_cast<const unsigned*>(from), static_cast<Index>(count), sum);
}

void spin(const Launch& launch, long long cycles) {
  probe::spin<<<1, 1, 0, launch.stream>>>(cycles);
}
void nothing(const Launch& launch) {
  probe::nothing<<<1, 32, 0, launch.stream>>>();
}

int Attention::parts(int multiprocessors) const {
  constexpr int kTokens = 128, kBlocksWanted = 8;
  const int by_depth = (depth + kTokens - 1) / kTokens,
            by_blocks = (kBlocksWanted * multiprocessors + caches - 1) / caches;
  const int fewer = by_depth < by_blocks ? by_depth : by_blocks;
  return fewer < 1 ? 1 : fewer;
}
std::int64_t Attention::scratch_bytes(int multiprocessors) const {
  return std::int64_t{4} * kRows * (width + 2) * caches * parts(multiprocessors);
}
void attend(const Launch& launch, const Attention& shape, const void* keys, const void* values,
            const void* queries, void* scratch, void* out) {
  if (shape.width == 128) attend_wide<128>(launch, shape, keys, values, queries, scratch, out);
  if (shape.width == 64) attend_wide<64>(launch, shape, keys, values, queries, scratch, out);
}

void add_and_norm(const Launch& launch, const void* branch, const void* residual, void* sum, void* out,
                  int rows, int width) {
  probe::add_and_norm<<<static_cast<unsigned>(rows), kRowThreads, 0, launch.stream>>>(
      static_cast<const uint4*>(branch), static_cast<const uint4*>(residual), static_cast<uint4*>(sum),
      static_cast<uint4*>(out), width / 8);
}
void gate_up(const Launch& launch, const void* from, void* out, int rows, int width) {
  const std::int64_t all = std::int64_t{rows} * (width / 8);
  probe::gate_up<<<blocks(all, kRowThreads), kRowThreads, 0, launch.stream>>>(
      static_cast<const uint4*>(from), static_cast<uint4*>(out), all, width / 8);
}
void softmax_rows(const Launch& launch, void* scores, int rows, int width, float scale) {
  probe::softmax_rows<<<static_cast<unsigned>(rows), kRowThreads, 0, launch.stream>>>(
      static_cast<uint4*>(scores), width / 8, kLog2E * scale);
}
void gather_rows(const Launch& launch, const void* from, const int* place, void* out, int rows, int width) {
  probe::gather_rows<<<static_cast<unsigned>(rows), kRowThreads, 0, launch.stream>>>(
      static_cast<const uint4*>(from), place, static_cast<uint4*>(out), width / 8);
}
void join_rows(const Launch& launch, const void* from, const int* place, int choices, void* out, int rows,
               int width) {
  probe::join_rows<<<static_cast<unsigned>(rows), kRowThreads, 0, launch.stream>>>(
      static_cast<const uint4*>(from), place, choices, static_cast<uint4*>(out), width / 8);
}
void to_fp8(const Launch& launch, const void* from, void* to, std::int64_t count) {
  narrow<Narrow::fp8><<<blocks(count / 8, kThreads), kThreads, 0, launch.stream>>>(
      static_cast<const uint4*>(from), static_cast<uint2*>(to), count / 8);
}
void to_int8(const Launch& launch, const void* from, void* to, std::int64_t count) {
  narrow<Narrow::int8><<<blocks(count / 8, kThreads), kThreads, 0, launch.stream>>>(
      static_cast<const uint4*>(from), static_cast<uint2*>(to), count / 8);
}

}  // namespace roofplan::probe::kernels
