#pragma once

#include "model/llm/architecture.hpp"
#include "model/llm/kv_cache.hpp"
#include "model/llm/parameters.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace roofplan::model {

/// A run of layers that are alike, as shown to the user.
struct LayerGroupFacts {
  std::string name;
  std::int64_t layers = 0;
  std::int64_t params = 0;         ///< of all layers of the group
  std::int64_t active_params = 0;  ///< of those, read per token
  std::optional<std::int64_t> heads;
  std::optional<std::int64_t> kv_heads;  ///< nothing where one latent serves all heads
  std::optional<std::int64_t> head_dim;
  std::optional<std::int64_t> window;  ///< tokens
  std::optional<std::int64_t> experts;
  std::optional<std::int64_t> experts_per_token;
  ByteCount kv_bytes_per_token;     ///< of all layers of the group, rounded up; a window's until it is full
  ByteCount index_bytes_per_token;  ///< indexer keys, rounded up
  ByteCount state_bytes_per_sequence;  ///< of all layers of the group
};

/// What `models show` says of an architecture, weights in bytes apart. Keys as in the JSON answer.
struct ModelFacts {
  ParameterCounts params;
  std::int64_t layers = 0;
  std::int64_t max_context = 0;  ///< tokens; 0 where the file does not say
  CacheNeed cache;               ///< at the KV format asked for
  std::vector<LayerGroupFacts> layer_groups;
};

/// Counts of `model` with a cache of elements of `kv`. Throws InputError (content) beyond 64 bits.
ModelFacts model_facts(const Architecture& model, ElementSize kv = {16, 1});

}  // namespace roofplan::model
