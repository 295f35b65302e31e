#include "model/memory/adapters.hpp"

namespace roofplan::model {
namespace {

bool takes_adapters(const Tensor& tensor) {
  const bool linear = tensor.kind == TensorClass::attention || tensor.kind == TensorClass::dense_ffn ||
                      tensor.kind == TensorClass::shared_expert;
  return linear && !tensor.one_dimensional;
}

}  // namespace

ByteCount adapter_bytes(const Architecture& model, const Stage& stage, const ParallelPlan& plan,
                        std::int64_t slots, std::int64_t rank) {
  std::int64_t elements = 0;
  for (std::size_t g = 0; g < model.groups.size(); ++g) {
    const LayerGroup& group = model.groups[g];
    const std::int64_t kv_heads = group.attention ? group.attention->kv_heads : 0;
    std::int64_t layer = 0;
    for (const Tensor& tensor : tensors(model, group)) {
      if (!takes_adapters(tensor)) continue;
      const Tensor share = rank_share(tensor, plan, kv_heads);
      layer += share.rows + share.cols;
    }
    elements = checked_add(elements, checked_mul(layer, stage.group_layers[g]));
  }
  return ByteCount(2) * checked_mul(checked_mul(slots, rank), elements);
}

}  // namespace roofplan::model
