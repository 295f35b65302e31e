#include "model/memory/parallel.hpp"

#include <algorithm>
#include <numeric>
#include <string_view>

namespace roofplan::model {
namespace {

/// Holds one plan against the rules: the reasons against it, or only whether there are any, at the first.
class Faults {
 public:
  Faults(const Architecture& model, const WeightPlan& weights, const EngineMemory& engine,
         const ParallelPlan& plan, bool explain)
      : model_(model), weights_(weights), engine_(engine), plan_(plan), explain_(explain) {}

  std::vector<Text> find() {
    look();
    return std::move(found_);
  }
  bool none() {
    look();
    return legal_;
  }

 private:
  void look() {
    engine_limits();
    degrees();
    if (!legal_) return;
    for (const LayerGroup& group : model_.groups) {
      if (group.attention) attention(*group.attention);
      if (group.recurrent) recurrent(*group.recurrent);
      if (group.dense) divides("fit.ffn_width", group.dense->intermediate, plan_.tp);
      if (group.moe) experts(*group.moe);
      if (!done()) scale_groups(group);
      if (done()) return;
    }
  }
  bool done() const { return !legal_ && !explain_; }

  template <class Make>
  void refuse_if(bool fault, Make reason) {
    if (!fault) return;
    legal_ = false;
    if (!explain_) return;
    Text text = reason();
    if (std::find(found_.begin(), found_.end(), text) == found_.end()) found_.push_back(std::move(text));
  }
  void divides(const char* key, std::int64_t whole, std::int64_t parts) {
    refuse_if(whole % parts != 0, [&] { return Text(key, {{"width", whole}, {"parts", parts}}); });
  }
  void supports(const char* name, std::int64_t degree) {
    refuse_if(degree > 1 && !engine_.can_split(name), [&] {
      return Text("fit.engine_cannot", {{"split", name}});
    });
  }
  void engine_limits() {
    supports("tp", plan_.tp);
    supports("pp", plan_.pp);
    supports("ep", plan_.ep);
    supports("dp", plan_.dp);
    supports("cp", plan_.cp);
    supports("attention_dp", plan_.attention_dp);
  }
  void degrees() {
    refuse_if(plan_.pp > model_.layers(), [&] {
      return Text("fit.too_many_stages", {{"pp", plan_.pp}, {"layers", model_.layers()}});
    });
    const bool routed = std::any_of(model_.groups.begin(), model_.groups.end(),
                                    [](const LayerGroup& group) { return group.moe.has_value(); });
    refuse_if(plan_.ep > 1 && !routed, [&] { return Text("fit.no_experts", {{"ep", plan_.ep}}); });
    refuse_if(plan_.tp % plan_.ep != 0, [&] {
      return Text("fit.ep_of_tp", {{"ep", plan_.ep}, {"tp", plan_.tp}});
    });
    refuse_if(plan_.tp % plan_.attention_dp != 0, [&] {
      return Text("fit.attention_dp_of_tp", {{"attention_dp", plan_.attention_dp}, {"tp", plan_.tp}});
    });
  }
  void attention(const Attention& a) {
    const std::int64_t tp = plan_.attention_tp();
    refuse_if(a.heads % tp != 0, [&] { return Text("fit.heads", {{"heads", a.heads}, {"tp", tp}}); });
    const bool latent = a.kind != Attention::Kind::gqa;
    refuse_if(!latent && a.kv_heads % tp != 0 && tp % a.kv_heads != 0, [&] {
      return Text("fit.kv_heads", {{"heads", a.kv_heads}, {"tp", tp}});
    });
  }
  void recurrent(const Recurrent& r) {
    const std::int64_t tp = plan_.attention_tp();
    for (const std::int64_t heads : {r.heads, r.key_heads, r.value_heads})
      refuse_if(heads % tp != 0, [&] { return Text("fit.state_heads", {{"heads", heads}, {"tp", tp}}); });
    if (r.heads == 0 && r.value_heads == 0) divides("fit.ffn_width", r.inner, tp);
  }
  void experts(const MoeFfn& f) {
    divides("fit.experts", f.experts, plan_.ep);
    divides("fit.expert_width", f.intermediate, plan_.expert_tp());
    divides("fit.ffn_width", f.shared_intermediate, plan_.tp);
  }
  void scale_groups(const LayerGroup& group) {
    for (const Tensor& tensor : tensors(model_, group)) {
      if (tensor.one_dimensional || tensor.split == TensorSplit::replicated) continue;
      const Tensor share = rank_share(tensor, plan_, group.attention ? group.attention->kv_heads : 0);
      if (share.cols == tensor.cols && share.rows == tensor.rows) continue;
      for (const ScaleRule& rule : weights_.format_of(tensor, 0).scales) {
        const bool splits_columns = share.cols != tensor.cols && rule.cols > 0 && share.cols % rule.cols != 0;
        const bool splits_rows = share.rows != tensor.rows && rule.rows > 1 && share.rows % rule.rows != 0;
        refuse_if(!rule.flattened && (splits_columns || splits_rows), [&] {
          return Text("fit.scale_group", {{"tensor", to_string(tensor.role)},
                                          {"width", splits_columns ? share.cols : share.rows},
                                          {"group", splits_columns ? rule.cols : rule.rows}});
        });
      }
    }
  }

  const Architecture& model_;
  const WeightPlan& weights_;
  const EngineMemory& engine_;
  const ParallelPlan& plan_;
  bool explain_, legal_ = true;
  std::vector<Text> found_;
};

std::int64_t ranks_of(const Tensor& tensor, const ParallelPlan& plan) {
  switch (tensor.kind) {
    case TensorClass::attention:
    case TensorClass::indexer:
    case TensorClass::recurrent:
      return plan.attention_tp();
    case TensorClass::expert:
      return plan.expert_tp();
    default:
      return tensor.copies > 1 ? plan.expert_tp() : plan.tp;
  }
}

/// What every TP divides, heads and feed-forward widths: their greatest common divisor, 1 where there are
/// none.
std::int64_t largest_tp(const Architecture& model) {
  std::int64_t common = 0;
  const auto divide = [&](std::int64_t whole) { common = std::gcd(common, whole); };
  for (const LayerGroup& group : model.groups) {
    if (group.attention) divide(group.attention->heads);
    if (group.recurrent) {
      for (const std::int64_t heads :
           {group.recurrent->heads, group.recurrent->key_heads, group.recurrent->value_heads})
        divide(heads);
    }
    if (group.dense) divide(group.dense->intermediate);
    if (group.moe) divide(group.moe->shared_intermediate);
  }
  return std::max<std::int64_t>(1, common);
}

}  // namespace

std::vector<Stage> pipeline_stages(const Architecture& model, std::int64_t pp) {
  const std::int64_t each = model.layers() / pp, rest = model.layers() % pp;
  std::vector<Stage> stages(static_cast<std::size_t>(pp));
  std::int64_t next = 0;
  for (std::int64_t s = 0; s < pp; ++s) {
    Stage& stage = stages[static_cast<std::size_t>(s)];
    const bool extra = s < pp - 1 ? s >= pp - 1 - rest : false;
    stage.first_layer = next;
    stage.layers = each + (extra ? 1 : 0);
    stage.has_embedding = s == 0;
    stage.has_head = s == pp - 1;
    stage.group_layers.assign(model.groups.size(), 0);
    for (std::int64_t i = next; i < next + stage.layers; ++i)
      ++stage.group_layers[model.order[static_cast<std::size_t>(i)]];
    next += stage.layers;
  }
  return stages;
}

std::vector<Text> plan_faults(const Architecture& model, const WeightPlan& weights,
                              const EngineMemory& engine, const ParallelPlan& plan) {
  return Faults(model, weights, engine, plan, true).find();
}

bool plan_is_legal(const Architecture& model, const WeightPlan& weights, const EngineMemory& engine,
                   const ParallelPlan& plan) {
  return Faults(model, weights, engine, plan, false).none();
}

std::int64_t natural_ep(const Architecture& model, const WeightPlan& weights, std::int64_t tp) {
  static const EngineMemory any = [] {
    EngineMemory memory;
    memory.splits = {"tp", "ep"};
    return memory;
  }();
  const ParallelPlan spread{.tp = tp, .ep = tp};
  for (const LayerGroup& group : model.groups) {
    if (!group.moe) continue;
    const bool whole = plan_is_legal(model, weights, any, {.tp = tp});
    return whole || !plan_is_legal(model, weights, any, spread) ? 1 : tp;
  }
  return 1;
}

std::vector<std::int64_t> legal_tp(const Architecture& model, const WeightPlan& weights,
                                   const EngineMemory& engine, std::int64_t most) {
  std::vector<std::int64_t> legal;
  most = std::min(most, largest_tp(model));
  for (std::int64_t tp = 1; tp <= most; ++tp)
    if (plan_is_legal(model, weights, engine, {.tp = tp, .ep = natural_ep(model, weights, tp)}))
      legal.push_back(tp);
  return legal;
}

std::int64_t rank_kv_heads(std::int64_t kv_heads, std::int64_t attention_tp) {
  return std::max<std::int64_t>(1, ceil_div(kv_heads, attention_tp));
}

Tensor rank_share(const Tensor& tensor, const ParallelPlan& plan, std::int64_t kv_heads) {
  constexpr std::int64_t kVocabularyRows = 64;
  Tensor share = tensor;
  const std::int64_t ranks = ranks_of(tensor, plan);
  if (tensor.copies > 1) share.copies = ceil_div(tensor.copies, plan.ep);
  std::int64_t& divided = tensor.one_dimensional ? share.cols : share.rows;
  switch (tensor.split) {
    case TensorSplit::column:
      divided = ceil_div(divided, ranks);
      break;
    case TensorSplit::row:
      share.cols = ceil_div(tensor.cols, ranks);
      break;
    case TensorSplit::per_kv_head:
      if (kv_heads > 0) share.rows = tensor.rows / kv_heads * rank_kv_heads(kv_heads, ranks);
      break;
    case TensorSplit::vocab:
      if (ranks > 1) divided = ceil_div(ceil_div(divided, kVocabularyRows) * kVocabularyRows, ranks);
      break;
    case TensorSplit::replicated:
      break;
  }
  return share;
}

}  // namespace roofplan::model
