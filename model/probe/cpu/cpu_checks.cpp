#include "model/probe/cpu/cpu_checks.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace roofplan::probe {
namespace {

/// fp32 over some thousand terms keeps four digits.
constexpr double kTolerance = 1e-3;
/// A prime: samples fall on all places of a vector register and of a row.
constexpr std::size_t kStride = 997;

void add(Reference& sum, double term) {
  sum.value += term;
  sum.scale += std::abs(term);
}

Reference dot(const float* a, const float* b, std::int64_t n) {
  Reference sum;
  for (std::int64_t i = 0; i < n; ++i) add(sum, static_cast<double>(a[i]) * static_cast<double>(b[i]));
  return sum;
}

/// Every kStride-th element, and the last.
template <class Expected>
bool samples_agree(const float* values, std::size_t count, Expected expected) {
  for (std::size_t i = 0; i < count; i += kStride) {
    if (!close_to(static_cast<double>(values[i]), expected(i))) return false;
  }
  return close_to(static_cast<double>(values[count - 1]), expected(count - 1));
}

}  // namespace

bool close_to(double value, const Reference& expected) {
  return std::abs(value - expected.value) <= kTolerance * expected.scale;
}

Reference reference_sum(const float* data, std::size_t count) {
  Reference sum;
  for (std::size_t i = 0; i < count; ++i) add(sum, static_cast<double>(data[i]));
  return sum;
}

bool is_triad(const float* a, const float* b, const float* to, std::size_t count) {
  return samples_agree(to, count, [&](std::size_t i) {
    Reference sum;
    add(sum, static_cast<double>(a[i]));
    add(sum, 3.0 * static_cast<double>(b[i]));
    return sum;
  });
}

bool is_gated(const float* a, const float* b, const float* to, std::size_t count) {
  return samples_agree(to, count, [&](std::size_t i) {
    const auto x = static_cast<double>(a[i]);
    Reference product;
    add(product, x / (1.0 + std::exp(-x)) * static_cast<double>(b[i]));
    return product;
  });
}

bool is_product(const float* w, const float* x, const float* y, std::int64_t m, std::int64_t n,
                std::int64_t k) {
  for (const std::int64_t row : std::array{std::int64_t{0}, m / 2, m - 1}) {
    for (const std::int64_t column : std::array{std::int64_t{0}, n / 3, n - 1}) {
      if (!close_to(static_cast<double>(y[row * n + column]), dot(w + column * k, x + row * k, k)))
        return false;
    }
  }
  return true;
}

bool is_attention(const float* cache, const float* q, const float* out, const LayerShape& shape,
                  std::int64_t depth) {
  const std::int64_t d = shape.head_dim;
  std::vector<double> weights(static_cast<std::size_t>(depth));
  for (std::int64_t i = 0; i < depth; ++i)
    weights[static_cast<std::size_t>(i)] = dot(cache + i * d, q, d).value / std::sqrt(static_cast<double>(d));
  const double highest = *std::max_element(weights.begin(), weights.end());
  double sum = 0;
  for (double& w : weights) sum += w = std::exp(w - highest);
  Reference expected;
  for (std::int64_t i = 0; i < depth; ++i)
    add(expected, weights[static_cast<std::size_t>(i)] / sum * static_cast<double>(cache[(depth + i) * d]));
  return close_to(static_cast<double>(out[0]), expected);
}

}  // namespace roofplan::probe
