#pragma once

#include "model/llm/architecture.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace roofplan::model {

/// What a tensor does, in the words of the field.
enum class TensorRole {
  embedding,
  positions,
  head,
  q_proj,
  k_proj,
  v_proj,
  o_proj,
  q_a_proj,
  q_b_proj,
  kv_a_proj,
  kv_b_proj,
  o_a_proj,
  gate_proj_attention,
  index_q,
  index_k,
  index_weights,
  sinks,
  gate,
  up,
  down,
  router,
  shared_expert_gate,
  latent_down,
  latent_up,
  in_proj,
  gate_in_proj,
  conv,
  x_proj,
  dt_proj,
  decay_proj,
  out_proj,
  state_vectors,
  bias,
  router_bias,
  norm,
};

/// How tensor parallelism divides a tensor.
enum class TensorSplit {
  column,       ///< by output rows
  row,          ///< by input columns; the result is summed over ranks
  per_kv_head,  ///< by KV heads; a rank holds at least one
  vocab,        ///< by rows of the vocabulary
  replicated,
};

/// One weight of one layer, `copies` times. Vectors have rows 1.
struct Tensor {
  TensorRole role = TensorRole::norm;
  TensorClass kind = TensorClass::norm;
  std::int64_t rows = 0;    ///< output width
  std::int64_t cols = 0;    ///< input width: the contiguous direction, along which blocks are quantised
  std::int64_t copies = 1;  ///< experts, else 1
  std::int64_t active_copies = 1;  ///< of the copies, how many one token reads
  TensorSplit split = TensorSplit::replicated;
  bool one_dimensional = false;

  std::int64_t elements_of_one() const;
  /// rows x cols x copies; throws InputError (content) beyond 2^63.
  std::int64_t elements() const;
  std::int64_t active_elements() const;
};

/// Appends the weights of one layer of `group`. Shapes follow the published checkpoints: GQA and MLA as in
/// Transformers, MLA arXiv:2405.04434 section 2.1, the sparse indexer of DeepSeek-V3.2, Mamba-1 and Mamba-2
/// as in Jamba and Nemotron-H, the gated delta net of Qwen3-Next, KDA of Kimi Linear (arXiv:2510.26692).
void append_tensors(const Architecture& model, const LayerGroup& group, std::vector<Tensor>& out);

/// The weights of one layer.
std::vector<Tensor> tensors(const Architecture& model, const LayerGroup& group);

/// Embedding, positions, final norm and output head. A tied head has no tensor of its own.
std::vector<Tensor> outer_tensors(const Architecture& model);

/// "q_proj", "down", ...
std::string_view to_string(TensorRole role);
/// "attention", "expert", ... as in NativeFormat.
std::string_view to_string(TensorClass kind);

}  // namespace roofplan::model
