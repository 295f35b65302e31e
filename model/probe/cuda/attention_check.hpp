#pragma once

#include <cstddef>
#include <vector>

namespace roofplan::probe {

/// Rows of keys and of values of one cache: values may be the first numbers of the keys' rows.
struct CacheRows {
  std::vector<double> keys, values;
  std::size_t key_width = 0, value_width = 0;
  std::size_t value_stride = 0;  ///< from one row of values to the next
};

/// Softmax attention of one query row against a cache, scores over the root of the keys' width, in double.
std::vector<double> attended(const std::vector<double>& query, const CacheRows& cache);

/// Whether each number is what is wanted: weights and results are rounded to eight bits, values lie in
/// [-1, 1).
bool attention_right(const std::vector<double>& found, const std::vector<double>& wanted);

}  // namespace roofplan::probe
