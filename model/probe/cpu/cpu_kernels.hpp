#pragma once

#include "model/probe/cpu/thread_pool.hpp"
#include "model/probe/layer.hpp"

#include <cstddef>
#include <cstdint>

namespace roofplan::probe {

/// The kernels that CPU probes and the CPU layer replay share, in fp32, divided over a pool; each returns the
/// time that ThreadPool::run tells. Pointers name row-major matrices.

struct Sum {
  double value = 0;
  model::Seconds time;
};
/// The sum of `count` elements, by each thread over its own part `times` times.
Sum read_sum(ThreadPool& pool, const float* data, std::size_t count, int times = 1, int threads = 0);
model::Seconds copy(ThreadPool& pool, const float* from, float* to, std::size_t count);
/// to = a + 3 b.
model::Seconds triad(ThreadPool& pool, const float* a, const float* b, float* to, std::size_t count);
/// y (m x n) = x (m x k) w^T (w: n x k). Weights are taken from memory once, some rows at a time, and meet
/// all rows of x while they are in the cache.
model::Seconds product(ThreadPool& pool, const float* w, const float* x, float* y, std::int64_t m,
                       std::int64_t n, std::int64_t k);
/// One new token of each of `batch` sequences over `depth` cached ones; cache: per sequence and KV head
/// `depth` rows of keys, then as many of values. Softmax included.
model::Seconds attention(ThreadPool& pool, const LayerShape& shape, const float* cache, const float* q,
                         float* out, std::int64_t batch, std::int64_t depth);
/// to = a / (1 + exp(-a)) b, the activation of a gated layer.
model::Seconds gated(ThreadPool& pool, const float* a, const float* b, float* to, std::size_t count);
/// to = a / rms(a) for each of `rows` rows.
model::Seconds rms_norm(ThreadPool& pool, const float* a, float* to, std::int64_t rows, std::int64_t columns);
/// to += a.
model::Seconds add(ThreadPool& pool, const float* a, float* to, std::size_t count);

}  // namespace roofplan::probe
