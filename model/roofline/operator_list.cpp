#include "model/roofline/operator_list.hpp"

#include "model/roofline/mixer_operators.hpp"

#include <algorithm>
#include <cstring>

namespace roofplan::model {

namespace {

/// The operator that a matrix belongs to; engines fuse matrices with the same input. nullptr: no GEMM.
const char* operator_of(const Tensor& tensor, bool latent_attention) {
  const bool expert = tensor.kind == TensorClass::expert;
  const bool shared = tensor.kind == TensorClass::shared_expert;
  switch (tensor.role) {
    case TensorRole::q_proj:
    case TensorRole::k_proj:
    case TensorRole::v_proj:
      return latent_attention ? "attention.qkv_a" : "attention.qkv";
    case TensorRole::q_a_proj:
    case TensorRole::kv_a_proj:
      return "attention.qkv_a";
    case TensorRole::q_b_proj:
      return "attention.q_b";
    case TensorRole::kv_b_proj:
      return "attention.kv_b";
    case TensorRole::o_a_proj:
      return "attention.out_a";
    case TensorRole::o_proj:
      return "attention.out";
    case TensorRole::gate_proj_attention:
      return "attention.gate";
    case TensorRole::index_q:
    case TensorRole::index_k:
    case TensorRole::index_weights:
      return "indexer.project";
    case TensorRole::gate:
    case TensorRole::up:
      return expert ? "moe.experts" : shared ? "moe.shared_gate_up" : "ffn.gate_up";
    case TensorRole::down:
      return expert ? "moe.experts" : shared ? "moe.shared_down" : "ffn.down";
    case TensorRole::router:
    case TensorRole::shared_expert_gate:
      return "moe.router";
    case TensorRole::latent_down:
      return "moe.latent_down";
    case TensorRole::latent_up:
      return "moe.latent_up";
    case TensorRole::in_proj:
    case TensorRole::gate_in_proj:
      return "recurrent.in";
    case TensorRole::x_proj:
    case TensorRole::dt_proj:
    case TensorRole::decay_proj:
      return "recurrent.step";
    case TensorRole::out_proj:
      return "recurrent.out";
    default:
      return nullptr;
  }
}

/// Rows and columns of a tensor on one of `ranks` devices.
struct Shape {
  double rows = 0, cols = 0;
};
Shape shard(const Tensor& t, std::int64_t ranks, std::int64_t kv_heads) {
  const double r = static_cast<double>(ranks);
  Shape s{static_cast<double>(t.rows), static_cast<double>(t.cols)};
  switch (t.split) {
    case TensorSplit::column:
    case TensorSplit::vocab:
      s.rows /= r;
      break;
    case TensorSplit::row:
      s.cols /= r;
      break;
    case TensorSplit::per_kv_head:
      s.rows /= static_cast<double>(std::min(ranks, std::max<std::int64_t>(1, kv_heads)));
      break;
    case TensorSplit::replicated:
      break;
  }
  return s;
}

Operator& find_or_add(std::vector<Operator>& out, std::size_t first, const char* name) {
  for (std::size_t i = first; i < out.size(); ++i)
    if (std::strcmp(out[i].name, name) == 0) return out[i];
  out.emplace_back();
  out.back().name = name;
  return out.back();
}

void add_matrix(const StepRecipe& recipe, const LayerGroup& group, const Tensor& t, Phase phase,
                std::size_t first, std::vector<Operator>& out) {
  const bool latent = group.attention && group.attention->kind != Attention::Kind::gqa;
  const char* name = operator_of(t, latent);
  if (name == nullptr) return;
  const StepShards& p = recipe.shards;
  const bool expert = t.kind == TensorClass::expert;
  const std::int64_t kv_heads = group.attention ? group.attention->kv_heads : 1;
  const Shape s = shard(t, expert ? p.moe_tp : p.attention_tp, kv_heads);
  const StoredTensor stored = recipe.weights(&group, t);
  const double share = s.rows * s.cols / (static_cast<double>(t.rows) * static_cast<double>(t.cols));

  Operator& op = find_or_add(out, first, name);
  const bool widens = op.k == s.cols && op.n > 0;
  if (expert) {
    op.kind = OperatorKind::grouped_gemm;
    op.experts = static_cast<double>(t.copies);
    op.top_k = static_cast<double>(t.active_copies);
    op.local_share = 1.0 / static_cast<double>(p.ep);
    op.expert_bytes += stored.bytes / static_cast<double>(t.copies) * share;
    const double routed = op.top_k * op.local_share;
    op.flop_per_token += 2 * s.rows * s.cols * routed;
    if (phase == Phase::prefill) op.flop_per_expert += 2 * s.rows * s.cols * recipe.rates->expert_fill();
    op.activation_bytes_per_token += kActivationBytes * (s.rows + s.cols) * routed;
    recipe.rates->set_experts(op, *stored.format, phase);
  } else {
    op.kind = OperatorKind::gemm;
    op.token_share = p.token_share(phase);
    op.weight_bytes += stored.bytes * share;
    op.flop_per_token += 2 * s.rows * s.cols;
    op.activation_bytes_per_token += kActivationBytes * (s.rows + (widens ? 0 : s.cols));
    recipe.rates->set_gemm(op, *stored.format, phase);
  }
  op.n = widens ? op.n + s.rows : s.rows;
  op.k = s.cols;
  op.weights = stored.format;
}

/// Laws of kernels take over from rates. A product of several inputs is no single kernel and keeps them.
void set_kernel(const StepRecipe& recipe, const LayerGroup* group, Operator& op) {
  if (recipe.kernels == nullptr || op.weights == nullptr) return;
  const StepShards& p = recipe.shards;
  if (op.kind == OperatorKind::grouped_gemm) {
    op.kernel = recipe.kernels->experts(*op.weights, *group->moe, static_cast<double>(recipe.model->hidden),
                                        static_cast<double>(p.moe_tp), static_cast<double>(p.ep));
  } else if (op.flop_per_token == 2 * op.n * op.k) {
    op.kernel = recipe.kernels->gemm(*op.weights, op.n, op.k);
  }
}

void append_outer(const StepRecipe& recipe, Phase phase, std::vector<Operator>& out) {
  const Architecture& model = *recipe.model;
  const double hidden = static_cast<double>(model.hidden);
  Operator lookup = elementwise(recipe, "embedding.lookup", phase, 2 * hidden);
  lookup.kind = OperatorKind::copy;
  out.push_back(lookup);
  out.push_back(elementwise(recipe, "head.norm", phase, 2 * hidden));

  for (const Tensor& t : outer_tensors(model)) {
    const bool head =
        t.role == TensorRole::head || (model.tied_embeddings && t.role == TensorRole::embedding);
    if (!head) continue;
    const StoredTensor stored = recipe.weights(nullptr, t);
    const double ranks = static_cast<double>(recipe.shards.attention_tp);
    Operator op;
    op.name = "head.logits";
    op.last_only = true;
    op.token_share = recipe.shards.token_share(Phase::decode);
    op.n = static_cast<double>(t.rows) / ranks;
    op.k = static_cast<double>(t.cols);
    op.weight_bytes = stored.bytes / ranks;
    op.flop_per_token = 2 * op.n * op.k;
    op.activation_bytes_per_token = kActivationBytes * (op.n + op.k);
    op.weights = stored.format;
    recipe.rates->set_gemm(op, *stored.format, phase);
    set_kernel(recipe, nullptr, op);
    out.push_back(op);
  }
}

}  // namespace

Operator elementwise(const StepRecipe& recipe, const char* name, Phase phase, double elements) {
  Operator op;
  op.name = name;
  op.kind = OperatorKind::elementwise;
  op.token_share = recipe.shards.token_share(phase);
  op.activation_bytes_per_token = kActivationBytes * elements;
  recipe.rates->set_elementwise(op, phase);
  return op;
}

void append_layer(const StepRecipe& recipe, const LayerGroup& group, Phase phase,
                  std::vector<Operator>& out) {
  const std::size_t first = out.size();
  const double hidden = static_cast<double>(recipe.model->hidden);
  const double normed = 4 * hidden;  // residual and branch, read and written
  const bool mixes = group.attention || group.recurrent;
  const bool feeds = group.dense || group.moe;
  if (mixes) out.push_back(elementwise(recipe, "mixer.norm", phase, normed));
  if (feeds) out.push_back(elementwise(recipe, "ffn.norm", phase, normed));
  for (const Tensor& t : tensors(*recipe.model, group)) add_matrix(recipe, group, t, phase, first, out);
  for (std::size_t i = first; i < out.size(); ++i) set_kernel(recipe, &group, out[i]);
  append_mixer(recipe, group, phase, out);
  const double split = static_cast<double>(recipe.shards.attention_tp);
  if (group.dense) {
    const double width = static_cast<double>(group.dense->intermediate) / split;
    out.push_back(elementwise(recipe, "ffn.activation", phase, 3 * width));
  }
  if (group.moe && group.moe->shared_intermediate > 0) {
    const double width = static_cast<double>(group.moe->shared_intermediate) / split;
    out.push_back(elementwise(recipe, "moe.shared_activation", phase, 3 * width));
  }
  for (std::size_t i = first; i < out.size(); ++i) out[i].count = static_cast<double>(group.count);
}

std::vector<Operator> step_operators(const StepRecipe& recipe, Phase phase) {
  std::vector<Operator> out;
  for (const LayerGroup& group : recipe.model->groups) append_layer(recipe, group, phase, out);
  append_outer(recipe, phase, out);
  return out;
}

}  // namespace roofplan::model
