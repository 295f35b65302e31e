#pragma once

#include "model/llm/architecture.hpp"

#include <utility>

namespace roofplan::model::test {

/// A uniform dense Llama-like decoder: RMSNorm twice a layer, gated FFN, untied head.
inline Architecture dense_decoder(std::int64_t layers, std::int64_t hidden, std::int64_t heads,
                                  std::int64_t kv_heads, std::int64_t head_dim, std::int64_t intermediate,
                                  std::int64_t vocab) {
  Architecture a;
  a.hidden = hidden;
  a.vocab = vocab;
  a.final_norm_elements = hidden;
  LayerGroup g;
  g.count = layers;
  g.attention = Attention{};
  g.attention->heads = heads;
  g.attention->kv_heads = kv_heads;
  g.attention->head_dim = head_dim;
  g.attention->v_head_dim = head_dim;
  g.dense = DenseFfn{intermediate, true, false};
  g.norm_elements = 2 * hidden;
  a.groups.push_back(std::move(g));
  a.order.assign(static_cast<std::size_t>(layers), 0);
  return a;
}

}  // namespace roofplan::model::test
