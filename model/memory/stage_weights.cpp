#include "model/memory/parallel.hpp"
#include "model/memory/weights.hpp"

namespace roofplan::model {
namespace {

using ByClass = StoredWeights::ByClass;

/// Bytes on one rank of `parts`, the tensors of one layer or those outside the layers.
ByClass share_of(const std::vector<Tensor>& parts, std::int64_t layer, const WeightPlan& weights,
                 const ParallelPlan& plan, std::int64_t kv_heads) {
  ByClass sum{};
  for (const Tensor& tensor : parts) {
    const Tensor share = rank_share(tensor, plan, kv_heads);
    sum[static_cast<std::size_t>(tensor.kind)] +=
        matrix_bytes(weights.format_of(tensor, layer), share.rows, share.cols) * share.copies;
  }
  return sum;
}

/// What a rank holds of `file` when it holds `share` of the `whole` that the architecture tells: all of a
/// class that the architecture does not know.
ByteCount same_share(ByteCount file, ByteCount share, ByteCount whole) {
  if (share == whole || whole == ByteCount()) return file;
  return ceil_bytes(file.quantity() * (share.quantity() / whole.quantity()));
}

/// The weights of one rank, by stage.
class RankWeights {
 public:
  RankWeights(const Architecture& model, const WeightPlan& weights, const ParallelPlan& plan)
      : model_(model), weights_(weights), plan_(plan), stored_(weights.stored()) {
    for (const LayerGroup& group : model.groups) {
      parts_.push_back(tensors(model, group));
      shares_.push_back(share_of(parts_.back(), 0, weights, plan, kv_heads(group)));
      wholes_.push_back(share_of(parts_.back(), 0, weights, {}, kv_heads(group)));
    }
    const std::vector<Tensor> outside = outer_tensors(model);
    outer_share_ = share_of(outside, 0, weights, plan, 0);
    outer_whole_ = share_of(outside, 0, weights, {}, 0);
  }

  ByteCount of(const Stage& stage, bool host_embedding) const {
    ByteCount sum = outer(stage, host_embedding && !model_.tied_embeddings);
    if (weights_.depends_on_layer() || by_layer()) {
      for (std::int64_t i = stage.first_layer; i < stage.first_layer + stage.layers; ++i) sum += layer(i);
    } else {
      for (std::size_t g = 0; g < parts_.size(); ++g)
        for (const ByteCount bytes : shares_[g]) sum += bytes * stage.group_layers[g];
    }
    return sum;
  }

 private:
  static std::int64_t kv_heads(const LayerGroup& group) {
    return group.attention ? group.attention->kv_heads : 0;
  }
  bool by_layer() const { return stored_ != nullptr && !stored_->layers.empty(); }

  ByteCount layer(std::int64_t i) const {
    const std::size_t g = model_.order[static_cast<std::size_t>(i)];
    ByteCount sum;
    if (by_layer()) {
      const ByClass& file = stored_->layers[static_cast<std::size_t>(i)];
      for (std::size_t c = 0; c < kTensorClasses; ++c)
        sum += same_share(file[c], shares_[g][c], wholes_[g][c]);
    } else {
      for (const ByteCount bytes : share_of(parts_[g], i, weights_, plan_, kv_heads(model_.groups[g])))
        sum += bytes;
    }
    return sum;
  }

  ByteCount outer(const Stage& stage, bool host_embedding) const {
    ByteCount sum = by_layer() ? stored_->unrecognised : ByteCount();
    for (std::size_t c = 0; c < kTensorClasses; ++c) {
      const bool embedding = static_cast<TensorClass>(c) == TensorClass::embedding;
      const bool here =
          embedding ? (stage.has_embedding && !host_embedding) || (stage.has_head && model_.tied_embeddings)
                    : stage.has_head;
      if (!here) continue;
      sum += by_layer() ? same_share(stored_->outside[c], outer_share_[c], outer_whole_[c]) : outer_share_[c];
    }
    return sum;
  }

  const Architecture& model_;
  const WeightPlan& weights_;
  const ParallelPlan& plan_;
  const StoredWeights* stored_;
  std::vector<std::vector<Tensor>> parts_;
  std::vector<ByClass> shares_, wholes_;  ///< of one layer of each group, of a rank and of all
  ByClass outer_share_{}, outer_whole_{};
};

}  // namespace

std::vector<ByteCount> stage_weights(const Architecture& model, const WeightPlan& weights,
                                     const ParallelPlan& plan, const std::vector<Stage>& stages,
                                     const WeightPlacement& placement) {
  const RankWeights rank(model, weights, plan);
  const WeightBytes all = weight_bytes(model, weights);
  std::vector<ByteCount> out;
  for (const Stage& stage : stages) {
    const ByteCount computed = rank.of(stage, placement.embedding_elsewhere);
    out.push_back(all.file_ratio == 1 ? computed : ceil_bytes(computed.quantity() * all.file_ratio));
  }
  if (placement.with_vision) out.front() += all.vision;
  if (placement.with_mtp) out.back() += ByteCount(ceil_div(all.mtp.count(), plan.tp));
  return out;
}

}  // namespace roofplan::model
