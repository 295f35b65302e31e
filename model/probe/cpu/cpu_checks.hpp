#pragma once

#include "model/probe/layer.hpp"

#include <cstddef>
#include <cstdint>

namespace roofplan::probe {

/// Whether kernels computed what they should, by plain loops in double over all of a small result or over
/// samples of a large one.

/// A sum, and that of the absolute values of its terms: what rounding errors are measured by.
struct Reference {
  double value = 0, scale = 0;
};
bool close_to(double value, const Reference& expected);
Reference reference_sum(const float* data, std::size_t count);
bool is_triad(const float* a, const float* b, const float* to, std::size_t count);
bool is_gated(const float* a, const float* b, const float* to, std::size_t count);
bool is_product(const float* w, const float* x, const float* y, std::int64_t m, std::int64_t n,
                std::int64_t k);
/// The first query head of the first sequence.
bool is_attention(const float* cache, const float* q, const float* out, const LayerShape& shape,
                  std::int64_t depth);

}  // namespace roofplan::probe
