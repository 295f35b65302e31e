#include "model/memory/weights.hpp"

#include "model/llm/parameters.hpp"

#include <cmath>
#include <vector>

namespace roofplan::model {
namespace {

void add(const Tensor& tensor, std::int64_t layer, std::int64_t times, const WeightPlan& plan,
         WeightBytes& sum) {
  const ByteCount bytes = matrix_bytes(plan.format_of(tensor, layer), tensor.rows, tensor.cols) *
                          checked_mul(tensor.copies, times);
  sum.by_class[static_cast<std::size_t>(tensor.kind)] += bytes;
  sum.text += bytes;
}

void add_layers(const Architecture& model, const WeightPlan& plan, WeightBytes& sum) {
  std::vector<std::vector<Tensor>> by_group;
  for (const LayerGroup& group : model.groups) by_group.push_back(tensors(model, group));
  if (!plan.depends_on_layer()) {
    for (std::size_t g = 0; g < by_group.size(); ++g)
      for (const Tensor& tensor : by_group[g]) add(tensor, 0, model.groups[g].count, plan, sum);
    return;
  }
  for (std::size_t layer = 0; layer < model.order.size(); ++layer)
    for (const Tensor& tensor : by_group[model.order[layer]])
      add(tensor, static_cast<std::int64_t>(layer), 1, plan, sum);
}

WeightBytes of_files(const StoredWeights& stored) {
  WeightBytes sum;
  sum.by_class = stored.outside;
  for (const StoredWeights::ByClass& layer : stored.layers)
    for (std::size_t c = 0; c < kTensorClasses; ++c) sum.by_class[c] += layer[c];
  sum.text = stored.unrecognised;
  for (const ByteCount bytes : sum.by_class) sum.text += bytes;
  sum.mtp = stored.mtp;
  sum.vision = stored.vision;
  sum.duplicates = stored.duplicates;
  sum.in_file = stored.files;
  return sum;
}

/// Every part at the same share of the files as its format tells.
void scale_to_files(WeightBytes& sum, ByteCount files) {
  sum.file_ratio = files.quantity() / sum.in_file.quantity();
  const auto scale = [&](ByteCount& bytes) { bytes = ceil_bytes(bytes.quantity() * sum.file_ratio); };
  for (ByteCount& bytes : sum.by_class) scale(bytes);
  for (ByteCount* bytes : {&sum.text, &sum.mtp, &sum.vision, &sum.duplicates}) scale(*bytes);
  sum.in_file = files;
}

}  // namespace

WeightBytes weight_bytes(const Architecture& model, const WeightPlan& plan) {
  const StoredWeights* stored = plan.stored();
  if (stored != nullptr && !stored->layers.empty()) return of_files(*stored);
  WeightBytes sum;
  add_layers(model, plan, sum);
  const ByteCount layers = sum.text;
  for (const Tensor& tensor : outer_tensors(model)) add(tensor, 0, 1, plan, sum);

  if (model.side.mtp_params > 0) {
    std::int64_t elements = 0;
    for (const LayerGroup& group : model.groups)
      elements = checked_add(elements, checked_mul(layer_elements(model, group), group.count));
    const double each = static_cast<double>(layers.count()) / static_cast<double>(elements);
    sum.mtp = ceil_bytes(each * static_cast<double>(model.side.mtp_params) * unit::B);
  }
  sum.vision = ByteCount(2) * model.side.vision_params;
  sum.duplicates = ByteCount(2) * model.side.duplicate_params;
  sum.in_file = sum.text + sum.mtp + sum.vision + sum.duplicates;
  if (stored != nullptr) scale_to_files(sum, stored->files);
  return sum;
}

}  // namespace roofplan::model
