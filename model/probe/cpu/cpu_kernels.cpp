#include "model/probe/cpu/cpu_kernels.hpp"

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <vector>

namespace roofplan::probe {
namespace {

using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using In = Eigen::Map<const Matrix>;
using InVector = Eigen::Map<const Eigen::VectorXf>;
using OutVector = Eigen::Map<Eigen::VectorXf>;
using InArray = Eigen::Map<const Eigen::ArrayXf>;
using OutArray = Eigen::Map<Eigen::ArrayXf>;

constexpr Eigen::Index kSumBlock = 4096;
constexpr Eigen::Index kRowsAtOnce = 8;  // of Eigen's matrix-vector product; a rest goes row by row
constexpr std::int64_t kBlockElements = 32 * 1024;  // 128 KiB: what a core's own cache holds easily

struct Range {
  Eigen::Index first = 0, count = 0;
};
Range part_of(std::size_t total, int part, int parts) {
  const auto n = static_cast<Eigen::Index>(total);
  const Eigen::Index first = n * part / parts;
  return {first, n * (part + 1) / parts - first};
}

InArray slice(const float* data, Range r) {
  return InArray(data + r.first, r.count);
}
OutArray slice(float* data, Range r) {
  return OutArray(data + r.first, r.count);
}

/// Blocks in fp32, added up in double, so that hundreds of millions of elements keep five digits.
double sum_of(const float* data, Range r) {
  double sum = 0;
  for (Eigen::Index i = 0; i < r.count; i += kSumBlock)
    sum += static_cast<double>(slice(data, {r.first + i, std::min(kSumBlock, r.count - i)}).sum());
  return sum;
}

/// One KV head. Keys and values are taken some rows at a time, and meet all query heads of the group while
/// they are in the cache.
void attend(const LayerShape& shape, const float* keys, const float* q, float* out, std::int64_t depth) {
  const std::int64_t group = shape.heads / shape.kv_heads, width = shape.head_dim;
  const std::int64_t block = std::max<std::int64_t>(kRowsAtOnce, kBlockElements / width);
  const float scale = 1.0F / std::sqrt(static_cast<float>(width));
  const auto rows_from = [&](std::int64_t row) { return std::min(block, depth - row); };
  Eigen::MatrixXf scores(depth, group);
  for (std::int64_t row = 0; row < depth; row += block) {
    const In k(keys + row * width, rows_from(row), width);
    for (std::int64_t g = 0; g < group; ++g)
      scores.col(g).segment(row, rows_from(row)).noalias() = k * InVector(q + g * width, width);
  }
  for (std::int64_t g = 0; g < group; ++g) {
    auto score = scores.col(g).array();
    score = ((score - score.maxCoeff()) * scale).exp();
    score /= score.sum();
  }
  std::fill_n(out, group * width, 0.0F);
  const float* values = keys + depth * width;
  for (std::int64_t row = 0; row < depth; row += block) {
    const In v(values + row * width, rows_from(row), width);
    for (std::int64_t g = 0; g < group; ++g)
      OutVector(out + g * width, width).noalias() +=
          v.transpose() * scores.col(g).segment(row, rows_from(row));
  }
}

}  // namespace

Sum read_sum(ThreadPool& pool, const float* data, std::size_t count, int times, int threads) {
  std::vector<double> sums(static_cast<std::size_t>(pool.threads()) * 8, 0.0);
  Sum out;
  out.time = pool.run(
      [&](int part, int parts) {
        const Range r = part_of(count, part, parts);
        double& sum = sums[static_cast<std::size_t>(part) * 8];
        for (int i = 0; i < times; ++i) sum = sum_of(data, r);
      },
      threads);
  for (const double s : sums) out.value += s;
  return out;
}

model::Seconds copy(ThreadPool& pool, const float* from, float* to, std::size_t count) {
  return pool.run([&](int part, int parts) {
    const Range r = part_of(count, part, parts);
    slice(to, r) = slice(from, r);
  });
}

model::Seconds triad(ThreadPool& pool, const float* a, const float* b, float* to, std::size_t count) {
  return pool.run([&](int part, int parts) {
    const Range r = part_of(count, part, parts);
    slice(to, r) = slice(a, r) + 3.0F * slice(b, r);
  });
}

model::Seconds product(ThreadPool& pool, const float* w, const float* x, float* y, std::int64_t m,
                       std::int64_t n, std::int64_t k) {
  const Eigen::Index block =
      std::max<Eigen::Index>(kRowsAtOnce, kBlockElements / k / kRowsAtOnce * kRowsAtOnce);
  return pool.run([&](int part, int parts) {
    const Range r = part_of(static_cast<std::size_t>(n), part, parts);
    for (Eigen::Index row = r.first; row < r.first + r.count; row += block) {
      const Eigen::Index rows = std::min(block, r.first + r.count - row);
      const In weights(w + row * k, rows, k);
      for (std::int64_t i = 0; i < m; ++i) {
        OutVector(y + i * n + row, rows).noalias() = weights * InVector(x + i * k, k);
      }
    }
  });
}

model::Seconds attention(ThreadPool& pool, const LayerShape& shape, const float* cache, const float* q,
                         float* out, std::int64_t batch, std::int64_t depth) {
  const std::int64_t group = shape.heads / shape.kv_heads;
  return pool.run([&](int part, int parts) {
    const Range r = part_of(static_cast<std::size_t>(batch * shape.kv_heads), part, parts);
    for (Eigen::Index i = r.first; i < r.first + r.count; ++i) {
      attend(shape, cache + 2 * i * depth * shape.head_dim, q + i * group * shape.head_dim,
             out + i * group * shape.head_dim, depth);
    }
  });
}

model::Seconds gated(ThreadPool& pool, const float* a, const float* b, float* to, std::size_t count) {
  return pool.run([&](int part, int parts) {
    const Range r = part_of(count, part, parts);
    slice(to, r) = slice(a, r) / (1.0F + (-slice(a, r)).exp()) * slice(b, r);
  });
}

model::Seconds rms_norm(ThreadPool& pool, const float* a, float* to, std::int64_t rows,
                        std::int64_t columns) {
  return pool.run([&](int part, int parts) {
    const Range r = part_of(static_cast<std::size_t>(rows), part, parts);
    for (Eigen::Index i = r.first; i < r.first + r.count; ++i) {
      const InArray row(a + i * columns, columns);
      OutArray(to + i * columns, columns) = row / std::sqrt(row.square().mean() + 1e-6F);
    }
  });
}

model::Seconds add(ThreadPool& pool, const float* a, float* to, std::size_t count) {
  return pool.run([&](int part, int parts) {
    const Range r = part_of(count, part, parts);
    slice(to, r) += slice(a, r);
  });
}

}  // namespace roofplan::probe
