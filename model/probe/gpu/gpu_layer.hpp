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
/// layer of the model's most frequent kind, as model/roofline lists them, in bfloat16: the share of one of
/// `devices` that divide the layer, with the all-reduce behind attention and the one behind the feed-forward
/// part (Megatron-LM, arXiv:1909.08053, section 3). Routed experts are spread evenly over the expected number
/// of distinct ones (distinct_experts() with independent tokens). Attention by products (heads that are
/// neither 64 nor 128 wide, latent caches) takes depths rounded up to a multiple of 8. Throws InputError
/// (usage) for a layer with an operator that no work stands for (an indexer, recurrent state) and for one
/// that so many devices cannot divide.
std::vector<LayerOperator> layer_operators(const model::Architecture& model, const model::Catalog& catalog,
                                           std::int64_t batch, std::int64_t depth, std::int64_t devices = 1);

}  // namespace roofplan::probe
