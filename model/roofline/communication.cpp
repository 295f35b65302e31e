#include "model/roofline/communication.hpp"

#include "model/llm/kv_cache.hpp"

namespace roofplan::model {

namespace {

/// Sums of squares of a token's queries and keys, fp32: a norm over all heads needs those of all ranks.
constexpr double kNormBytes = 8;

std::unique_ptr<ExchangeTimes> tabulate(const MessageTime& law, double factor) {
  if (!law) return nullptr;
  return std::make_unique<ExchangeTimes>([&](Bytes bytes) { return factor * law(bytes); });
}

void add(std::vector<Operator>& out, const char* name, const std::unique_ptr<ExchangeTimes>& times,
         double count, double token_share, double bytes_per_token, bool last_only = false) {
  if (times == nullptr || count <= 0) return;
  Operator op;
  op.name = name;
  op.kind = OperatorKind::collective;
  op.count = count;
  op.token_share = token_share;
  op.last_only = last_only;
  op.activation_bytes_per_token = bytes_per_token;
  op.exchange = times.get();
  out.push_back(op);
}

void add_moe(const LayerGroup& group, const StepShards& p, const ExchangeTables& tables, double count,
             double share, double vector_bytes, std::vector<Operator>& out) {
  if (p.attention_dp == 1) {
    add(out, "moe.all_reduce", tables.moe_all_reduce, count, share, vector_bytes);
    return;
  }
  const double ranks = static_cast<double>(p.ep);
  if (p.ep > 1) {
    // The experts of a token are so many draws among the ranks.
    const double reached = distinct_experts(ranks, 1, static_cast<double>(group.moe->top_k), 1);
    // The ranks of one tensor-parallel group hold the same tokens and send a part each.
    const double bytes = vector_bytes * reached / static_cast<double>(p.attention_tp);
    add(out, "moe.dispatch", tables.moe_all_to_all, count, share, bytes);
    add(out, "moe.combine", tables.moe_all_to_all, count, share, bytes);
  }
  if (p.moe_tp > 1) {
    add(out, "moe.all_gather", tables.moe_all_gather, count, share, vector_bytes);
    add(out, "moe.reduce_scatter", tables.moe_reduce_scatter, count, share, vector_bytes);
  }
}

}  // namespace

ExchangeTables::ExchangeTables(const ExchangeLaws& laws, double factor)
    : tp_all_reduce(tabulate(laws.tp_all_reduce, factor)),
      moe_all_reduce(tabulate(laws.moe_all_reduce, factor)),
      moe_all_to_all(tabulate(laws.moe_all_to_all, factor)),
      moe_all_gather(tabulate(laws.moe_all_gather, factor)),
      moe_reduce_scatter(tabulate(laws.moe_reduce_scatter, factor)),
      head_all_gather(tabulate(laws.head_all_gather, factor)),
      stage_send(tabulate(laws.stage_send, factor)),
      cp_all_gather(tabulate(laws.cp_all_gather, factor)) {}

void append_communication(const StepRecipe& recipe, const ExchangeTables& tables, Phase phase,
                          std::vector<Operator>& out) {
  const StepShards& p = recipe.shards;
  const double share = p.token_share(phase);
  const double vector_bytes = kActivationBytes * static_cast<double>(recipe.model->hidden);
  for (const LayerGroup& group : recipe.model->groups) {
    const double count = static_cast<double>(group.count);
    if (group.attention || group.recurrent)
      add(out, "mixer.all_reduce", tables.tp_all_reduce, count, share, vector_bytes);
    if (group.attention && group.attention->qk_norm == Attention::QkNorm::full_width)
      add(out, "attention.norm_all_reduce", tables.tp_all_reduce, count, share, kNormBytes);
    if (group.moe) {
      add_moe(group, p, tables, count, share, vector_bytes, out);
    } else if (group.dense) {
      add(out, "ffn.all_reduce", tables.tp_all_reduce, count, share, vector_bytes);
    }
    if (phase == Phase::prefill && group.attention && p.cp > 1) {
      const double entry = kActivationBytes * static_cast<double>(layer_cache(group).entry_elements);
      add(out, "attention.kv_all_gather", tables.cp_all_gather, count, share, entry);
    }
  }
  const double logits =
      kActivationBytes * static_cast<double>(recipe.model->vocab) / static_cast<double>(p.attention_tp);
  add(out, "head.all_gather", tables.head_all_gather, 1, p.token_share(Phase::decode), logits, true);
  add(out, "stage.send", tables.stage_send, static_cast<double>(p.pp - 1), share, vector_bytes);
}

}  // namespace roofplan::model
