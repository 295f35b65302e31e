#include "model/probe/cuda/attention_check.hpp"

#include <algorithm>
#include <cmath>

namespace roofplan::probe {

std::vector<double> attended(const std::vector<double>& query, const CacheRows& cache) {
  const std::size_t tokens = cache.keys.size() / cache.key_width;
  std::vector<double> weights(tokens), out(cache.value_width, 0.0);
  double highest = -1e300, sum = 0;
  for (std::size_t t = 0; t < tokens; ++t) {
    double dot = 0;
    for (std::size_t d = 0; d < cache.key_width; ++d) dot += query[d] * cache.keys[t * cache.key_width + d];
    weights[t] = dot / std::sqrt(static_cast<double>(cache.key_width));
    highest = std::max(highest, weights[t]);
  }
  for (std::size_t t = 0; t < tokens; ++t) {
    const double weight = std::exp(weights[t] - highest);
    sum += weight;
    for (std::size_t d = 0; d < cache.value_width; ++d)
      out[d] += weight * cache.values[t * cache.value_stride + d];
  }
  for (double& x : out) x /= sum;
  return out;
}

bool attention_right(const std::vector<double>& found, const std::vector<double>& wanted) {
  if (found.empty() || found.size() != wanted.size()) return false;
  for (std::size_t d = 0; d < wanted.size(); ++d) {
    if (!(std::abs(found[d] - wanted[d]) <= 0.004 + std::abs(wanted[d]) / 100)) return false;
  }
  return true;
}

}  // namespace roofplan::probe
