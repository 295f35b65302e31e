#pragma once

#include "model/catalog/catalog.hpp"
#include "model/llm/architecture.hpp"
#include "model/probe/gpu/gpu_work.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace roofplan::probe {

/// One operator of a decode step and the work that stands for it.
struct LayerOperator {
  std::string name;  ///< as the step model calls it: "attention.qkv", "moe.experts"
  GpuWork work;
};

/// The operators of a decode step of `batch` sequences with `depth` tokens each in the cache through one
/// layer of the model's most frequent kind, as model/roofline lists them, in bfloat16 on one device. Routed
/// experts are spread evenly over the expected number of distinct ones (distinct_experts() with independent
/// tokens). Throws InputError (usage) for a layer with an operator that no work stands for (latent attention,
/// recurrent state).
std::vector<LayerOperator> layer_operators(const model::Architecture& model, const model::Catalog& catalog,
                                           std::int64_t batch, std::int64_t depth);

}  // namespace roofplan::probe
