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

}  // namespace

WeightBytes weight_bytes(const Architecture& model, const WeightPlan& plan) {
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
  return sum;
}

}  // namespace roofplan::model
