#pragma once

#include "model/calibration/calibration_file.hpp"
#include "model/llm/architecture.hpp"
#include "model/roofline/step_model.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace roofplan::probe {

/// One decoder layer as matrices and heads: what a layer replay runs.
struct LayerShape {
  std::int64_t hidden = 0, heads = 0, kv_heads = 0, head_dim = 0, intermediate = 0;

  /// Rows and columns of a weight matrix; q, k, v are one product, and so are gate and up.
  struct Matrix {
    std::int64_t n = 0, k = 0;
    double elements() const { return static_cast<double>(n) * static_cast<double>(k); }
  };
  std::vector<Matrix> matrices() const;
  double elements() const;
  /// FLOP of attention of one new token per sequence: 4 heads head_dim per entry seen (scores and values).
  double attention_flop(std::int64_t batch, std::int64_t depth) const;
  /// Elements of K and V that those tokens read.
  double cache_elements(std::int64_t batch, std::int64_t depth) const;
};

/// The first layer of a dense model with grouped-query attention. Throws InputError (usage) for another kind.
LayerShape layer_shape(const model::Architecture& model);

/// A decode step of `batch` sequences with `depth` tokens each in the cache through one layer (of a model of
/// several kinds: the mean one), by operator: as `speed` predicts it on the system `this` that the
/// calibration stands for, with weights and cache in `format` and nothing around the kernels. Throws
/// InputError (content) where the calibration determines no such system, usage for an unknown format.
std::vector<model::OperatorShare> predicted_layer(const model::Architecture& model, std::string_view format,
                                                  std::int64_t batch, std::int64_t depth,
                                                  const model::Calibration& calibration);
/// Their sum.
model::Seconds total_time(const std::vector<model::OperatorShare>& operators);

}  // namespace roofplan::probe
