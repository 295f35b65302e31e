#include "model/llm/tensors.hpp"

#include "model/units/byte_count.hpp"

namespace roofplan::model {
namespace {

using Class = TensorClass;
using Role = TensorRole;
using Split = TensorSplit;

/// Collects the tensors of one layer; every helper leaves out what has no elements.
class Layer {
 public:
  explicit Layer(std::vector<Tensor>& out) : out_(out) {}

  void matrix(Role role, Class kind, std::int64_t rows, std::int64_t cols, Split split,
              std::int64_t copies = 1, std::int64_t active = 1) {
    if (rows > 0 && cols > 0 && copies > 0)
      out_.push_back({role, kind, rows, cols, copies, active, split, false});
  }
  void vector(Role role, std::int64_t length, Split split = Split::replicated, std::int64_t copies = 1,
              std::int64_t active = 1) {
    if (length > 0 && copies > 0) out_.push_back({role, Class::norm, 1, length, copies, active, split, true});
  }

 private:
  std::vector<Tensor>& out_;
};

void append_indexer(Layer& layer, const Attention& a, std::int64_t hidden) {
  if (a.index_heads == 0) return;
  const std::int64_t query_in = a.q_lora_rank > 0 ? a.q_lora_rank : hidden;
  layer.matrix(Role::index_q, Class::indexer, checked_mul(a.index_heads, a.index_head_dim), query_in,
               Split::replicated);
  layer.matrix(Role::index_k, Class::indexer, a.index_head_dim, hidden, Split::replicated);
  layer.vector(Role::norm, 2 * a.index_head_dim);
  layer.matrix(Role::index_weights, Class::indexer, a.index_heads, hidden, Split::replicated);
}

/// Queries from a latent of their own (rank > 0) or straight from the hidden state.
void append_latent_query(Layer& layer, const Attention& a, std::int64_t hidden) {
  const std::int64_t width = checked_mul(a.heads, a.head_dim);
  if (a.q_lora_rank == 0) {
    layer.matrix(Role::q_proj, Class::attention, width, hidden, Split::column);
    return;
  }
  layer.matrix(Role::q_a_proj, Class::attention, a.q_lora_rank, hidden, Split::replicated);
  layer.vector(Role::norm, a.q_lora_rank);
  layer.matrix(Role::q_b_proj, Class::attention, width, a.q_lora_rank, Split::column);
}

void append_mla(Layer& layer, const Attention& a, std::int64_t hidden) {
  append_latent_query(layer, a, hidden);
  layer.matrix(Role::kv_a_proj, Class::attention, a.kv_lora_rank + a.rope_dim, hidden, Split::replicated);
  layer.vector(Role::norm, a.kv_lora_rank);
  layer.matrix(Role::kv_b_proj, Class::attention, checked_mul(a.heads, a.nope_dim + a.v_head_dim),
               a.kv_lora_rank, Split::column);
  const std::int64_t out_width = checked_mul(a.heads, a.v_head_dim);
  if (a.output_gate)
    layer.matrix(Role::gate_proj_attention, Class::attention, out_width, hidden, Split::column);
  layer.matrix(Role::o_proj, Class::attention, hidden, out_width, Split::row);
}

void append_compressed(Layer& layer, const Attention& a, std::int64_t hidden) {
  append_latent_query(layer, a, hidden);
  layer.matrix(Role::kv_a_proj, Class::attention, a.head_dim, hidden, Split::replicated);
  layer.vector(Role::norm, a.head_dim);
  const std::int64_t width = checked_mul(a.heads, a.head_dim);
  if (a.o_lora_rank == 0) {
    layer.matrix(Role::o_proj, Class::attention, hidden, width, Split::row);
    return;
  }
  layer.matrix(Role::o_a_proj, Class::attention, checked_mul(a.o_groups, a.o_lora_rank), width / a.o_groups,
               Split::column);
  layer.matrix(Role::o_proj, Class::attention, hidden, checked_mul(a.o_groups, a.o_lora_rank), Split::row);
}

void append_gqa(Layer& layer, const Attention& a, std::int64_t hidden) {
  const std::int64_t q = checked_mul(a.heads, a.head_dim);
  const std::int64_t k = checked_mul(a.kv_heads, a.head_dim);
  const std::int64_t v = checked_mul(a.kv_heads, a.v_head_dim);
  const std::int64_t attended = checked_mul(a.heads, a.v_head_dim);
  layer.matrix(Role::q_proj, Class::attention, a.output_gate ? 2 * q : q, hidden, Split::column);
  layer.matrix(Role::k_proj, Class::attention, k, hidden, Split::per_kv_head);
  if (!a.k_is_v) layer.matrix(Role::v_proj, Class::attention, v, hidden, Split::per_kv_head);
  layer.matrix(Role::o_proj, Class::attention, hidden, attended, Split::row);
  if (a.qkv_bias) layer.vector(Role::bias, q + k + v, Split::column);
  if (a.o_bias) layer.vector(Role::bias, hidden);
}

void append_attention(Layer& layer, const Attention& a, std::int64_t hidden) {
  switch (a.kind) {
    case Attention::Kind::gqa:
      append_gqa(layer, a, hidden);
      break;
    case Attention::Kind::mla:
      append_mla(layer, a, hidden);
      break;
    case Attention::Kind::compressed:
      append_compressed(layer, a, hidden);
      break;
  }
  if (a.qk_norm == Attention::QkNorm::per_head) layer.vector(Role::norm, 2 * a.head_dim);
  if (a.qk_norm == Attention::QkNorm::full_width)
    layer.vector(Role::norm, checked_mul(a.heads + a.kv_heads, a.head_dim), Split::column);
  if (a.sinks) layer.vector(Role::sinks, a.heads, Split::column);
  append_indexer(layer, a, hidden);
}

void append_mamba1(Layer& layer, const Recurrent& r, std::int64_t hidden) {
  const std::int64_t low = r.dt_rank + 2 * r.state_size;
  layer.matrix(Role::in_proj, Class::recurrent, 2 * r.inner, hidden, Split::column);
  layer.matrix(Role::conv, Class::recurrent, r.inner, r.conv_kernel, Split::column);
  if (r.conv_bias) layer.vector(Role::bias, r.inner, Split::column);
  layer.matrix(Role::x_proj, Class::recurrent, low, r.inner, Split::row);
  layer.matrix(Role::dt_proj, Class::recurrent, r.inner, r.dt_rank, Split::column);
  layer.vector(Role::bias, r.inner, Split::column);
  layer.vector(Role::state_vectors, checked_mul(r.inner, r.state_size + 1), Split::column);
  layer.matrix(Role::out_proj, Class::recurrent, hidden, r.inner, Split::row);
  if (r.inner_norms) layer.vector(Role::norm, low);
}

void append_mamba2(Layer& layer, const Recurrent& r, std::int64_t hidden) {
  const std::int64_t inner = checked_mul(r.heads, r.head_dim);
  const std::int64_t mixed = checked_add(inner, 2 * checked_mul(r.groups, r.state_size));
  layer.matrix(Role::in_proj, Class::recurrent, inner + mixed + r.heads, hidden, Split::column);
  layer.matrix(Role::conv, Class::recurrent, mixed, r.conv_kernel, Split::column);
  if (r.conv_bias) layer.vector(Role::bias, mixed, Split::column);
  layer.vector(Role::state_vectors, 3 * r.heads, Split::column);
  layer.vector(Role::norm, inner, Split::column);
  layer.matrix(Role::out_proj, Class::recurrent, hidden, inner, Split::row);
}

void append_gated_delta_net(Layer& layer, const Recurrent& r, std::int64_t hidden) {
  const std::int64_t keys = checked_mul(r.key_heads, r.key_head_dim);
  const std::int64_t values = checked_mul(r.value_heads, r.value_head_dim);
  layer.matrix(Role::in_proj, Class::recurrent, 2 * keys + 2 * values, hidden, Split::column);
  layer.matrix(Role::gate_in_proj, Class::recurrent, 2 * r.value_heads, hidden, Split::column);
  layer.matrix(Role::conv, Class::recurrent, 2 * keys + values, r.conv_kernel, Split::column);
  layer.vector(Role::state_vectors, 2 * r.value_heads, Split::column);
  layer.vector(Role::norm, r.value_head_dim);
  layer.matrix(Role::out_proj, Class::recurrent, hidden, values, Split::row);
}

void append_kda(Layer& layer, const Recurrent& r, std::int64_t hidden) {
  const std::int64_t keys = checked_mul(r.key_heads, r.key_head_dim);
  const std::int64_t values = checked_mul(r.value_heads, r.value_head_dim);
  layer.matrix(Role::in_proj, Class::recurrent, 2 * keys + values, hidden, Split::column);
  layer.matrix(Role::conv, Class::recurrent, 2 * keys + values, r.conv_kernel, Split::column);
  layer.matrix(Role::decay_proj, Class::recurrent, r.key_head_dim, hidden, Split::replicated);
  layer.matrix(Role::decay_proj, Class::recurrent, keys, r.key_head_dim, Split::column);
  layer.matrix(Role::gate_in_proj, Class::recurrent, r.value_heads, hidden, Split::column);
  if (r.full_rank_gate) {
    layer.matrix(Role::gate_in_proj, Class::recurrent, values, hidden, Split::column);
  } else {
    layer.matrix(Role::gate_in_proj, Class::recurrent, r.value_head_dim, hidden, Split::replicated);
    layer.matrix(Role::gate_in_proj, Class::recurrent, values, r.value_head_dim, Split::column);
  }
  layer.vector(Role::state_vectors, checked_add(keys, r.value_heads), Split::column);
  layer.vector(Role::norm, r.value_head_dim);
  layer.matrix(Role::out_proj, Class::recurrent, hidden, values, Split::row);
}

void append_short_conv(Layer& layer, const Recurrent& r, std::int64_t hidden) {
  layer.matrix(Role::in_proj, Class::recurrent, 3 * r.inner, hidden, Split::column);
  layer.matrix(Role::conv, Class::recurrent, r.inner, r.conv_kernel, Split::column);
  if (r.conv_bias) layer.vector(Role::bias, r.inner, Split::column);
  layer.matrix(Role::out_proj, Class::recurrent, hidden, r.inner, Split::row);
}

void append_recurrent(Layer& layer, const Recurrent& r, std::int64_t hidden) {
  switch (r.kind) {
    case Recurrent::Kind::mamba1:
      append_mamba1(layer, r, hidden);
      break;
    case Recurrent::Kind::mamba2:
      append_mamba2(layer, r, hidden);
      break;
    case Recurrent::Kind::gated_delta_net:
      append_gated_delta_net(layer, r, hidden);
      break;
    case Recurrent::Kind::kda:
      append_kda(layer, r, hidden);
      break;
    case Recurrent::Kind::short_conv:
      append_short_conv(layer, r, hidden);
      break;
  }
}

void append_ffn(Layer& layer, Class kind, std::int64_t in, std::int64_t width, bool gated,
                std::int64_t copies = 1, std::int64_t active = 1) {
  if (gated) layer.matrix(Role::gate, kind, width, in, Split::column, copies, active);
  layer.matrix(Role::up, kind, width, in, Split::column, copies, active);
  layer.matrix(Role::down, kind, in, width, Split::row, copies, active);
}

void append_dense(Layer& layer, const DenseFfn& f, std::int64_t hidden) {
  append_ffn(layer, Class::dense_ffn, hidden, f.intermediate, f.gated);
  if (f.bias) {
    layer.vector(Role::bias, (f.gated ? 2 : 1) * f.intermediate, Split::column);
    layer.vector(Role::bias, hidden);
  }
}

void append_moe(Layer& layer, const MoeFfn& f, std::int64_t hidden) {
  const std::int64_t in = f.latent > 0 ? f.latent : hidden;
  layer.matrix(Role::router, Class::router, f.experts, hidden, Split::replicated);
  if (f.router_bias) layer.vector(Role::router_bias, f.experts);
  layer.vector(Role::router_bias, f.router_extra_elements);
  if (f.latent > 0) {
    layer.matrix(Role::latent_down, Class::shared_expert, f.latent, hidden, Split::replicated);
    layer.matrix(Role::latent_up, Class::shared_expert, hidden, f.latent, Split::replicated);
  }
  append_ffn(layer, Class::expert, in, f.intermediate, f.gated, f.experts, f.top_k);
  if (f.bias) {
    layer.vector(Role::bias, (f.gated ? 2 : 1) * f.intermediate, Split::column, f.experts, f.top_k);
    layer.vector(Role::bias, in, Split::replicated, f.experts, f.top_k);
  }
  append_ffn(layer, Class::shared_expert, hidden, f.shared_intermediate, f.gated);
  if (f.shared_gate) layer.matrix(Role::shared_expert_gate, Class::router, 1, hidden, Split::replicated);
}

}  // namespace

std::int64_t Tensor::elements_of_one() const {
  return checked_mul(rows, cols);
}

std::int64_t Tensor::elements() const {
  return checked_mul(elements_of_one(), copies);
}

std::int64_t Tensor::active_elements() const {
  return checked_mul(elements_of_one(), active_copies);
}

void append_tensors(const Architecture& model, const LayerGroup& group, std::vector<Tensor>& out) {
  Layer layer(out);
  if (group.attention) append_attention(layer, *group.attention, model.hidden);
  if (group.recurrent) append_recurrent(layer, *group.recurrent, model.hidden);
  if (group.dense) append_dense(layer, *group.dense, model.hidden);
  if (group.moe) append_moe(layer, *group.moe, model.hidden);
  layer.matrix(Role::gate, Class::dense_ffn, group.per_layer_input, model.hidden, Split::column);
  layer.matrix(Role::down, Class::dense_ffn, model.hidden, group.per_layer_input, Split::row);
  layer.vector(Role::norm, group.norm_elements);
}

std::vector<Tensor> tensors(const Architecture& model, const LayerGroup& group) {
  std::vector<Tensor> out;
  out.reserve(24);
  append_tensors(model, group, out);
  return out;
}

std::vector<Tensor> outer_tensors(const Architecture& model) {
  std::vector<Tensor> out;
  Layer layer(out);
  layer.matrix(Role::embedding, Class::embedding, model.vocab, model.hidden, Split::vocab);
  if (model.embedding_extra > 0)
    layer.matrix(Role::positions, Class::embedding, 1, model.embedding_extra, Split::replicated);
  if (!model.tied_embeddings) layer.matrix(Role::head, Class::head, model.vocab, model.hidden, Split::vocab);
  layer.vector(Role::bias, model.head_bias, Split::vocab);
  layer.vector(Role::norm, model.final_norm_elements);
  return out;
}

}  // namespace roofplan::model
