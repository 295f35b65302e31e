#include "model/llm/parameters.hpp"

#include "model/llm/tensors.hpp"
#include "model/units/byte_count.hpp"

namespace roofplan::model {

std::int64_t layer_elements(const Architecture& model, const LayerGroup& group) {
  std::int64_t sum = 0;
  for (const Tensor& t : tensors(model, group)) sum = checked_add(sum, t.elements());
  return sum;
}

ParameterCounts count_parameters(const Architecture& model) {
  ParameterCounts counts;
  const auto add = [&counts](const Tensor& t, std::int64_t times) {
    const auto c = static_cast<std::size_t>(t.kind);
    const std::int64_t all = checked_mul(t.elements(), times);
    const std::int64_t read = t.kind == TensorClass::embedding ? 0 : checked_mul(t.active_elements(), times);
    counts.by_class[c] = checked_add(counts.by_class[c], all);
    counts.active_by_class[c] = checked_add(counts.active_by_class[c], read);
    counts.total = checked_add(counts.total, all);
    counts.active = checked_add(counts.active, read);
  };
  for (const Tensor& t : outer_tensors(model)) add(t, 1);
  std::vector<Tensor> layer;
  for (const LayerGroup& group : model.groups) {
    layer.clear();
    append_tensors(model, group, layer);
    for (const Tensor& t : layer) add(t, group.count);
  }
  counts.embedding = counts.of(TensorClass::embedding);
  counts.head = checked_mul(model.vocab, model.hidden);
  if (model.tied_embeddings) {
    counts.active = checked_add(counts.active, counts.head);
    counts.active_by_class[static_cast<std::size_t>(TensorClass::head)] += counts.head;
  }
  counts.mtp = model.side.mtp_params;
  counts.vision = model.side.vision_params;
  counts.duplicates = model.side.duplicate_params;
  counts.scales = model.side.scale_params;
  counts.checkpoint = counts.total;
  for (const std::int64_t part : {counts.mtp, counts.vision, counts.duplicates, counts.scales})
    counts.checkpoint = checked_add(counts.checkpoint, part);
  return counts;
}

}  // namespace roofplan::model
