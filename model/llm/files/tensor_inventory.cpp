#include "model/llm/files/tensor_inventory.hpp"

#include <algorithm>
#include <set>

namespace roofplan::model {
namespace {

void add(TensorTotal& total, const TensorEntry& tensor) {
  ++total.tensors;
  total.parameters = checked_add(total.parameters, tensor.parameters);
  total.bytes += tensor.bytes;
}

/// Qwen3-Next's linear-attention layers name their projections in GGUF as attention does.
void settle_recurrent_layers(std::vector<TensorEntry>& tensors) {
  std::set<std::int64_t> recurrent;
  for (const TensorEntry& tensor : tensors) {
    if (tensor.place.layer && tensor.name.ends_with(".ssm_out.weight")) recurrent.insert(*tensor.place.layer);
  }
  for (TensorEntry& tensor : tensors) {
    const bool named_so =
        tensor.name.ends_with(".attn_qkv.weight") || tensor.name.ends_with(".attn_gate.weight");
    if (named_so && tensor.place.layer && recurrent.contains(*tensor.place.layer)) {
      tensor.place.kind = TensorClass::recurrent;
    }
  }
}

}  // namespace

const TensorTotal& TensorInventory::of(TensorClass kind) const {
  static const TensorTotal kNothing;
  const auto it = text_by_class.find(kind);
  return it == text_by_class.end() ? kNothing : it->second;
}

void finish_inventory(TensorInventory& inventory, std::optional<std::int64_t> layers) {
  std::set<std::int64_t> draft_layers;
  for (TensorEntry& tensor : inventory.tensors) {
    // A scale belongs to its matrix, however few dimensions it has.
    const bool scales = tensor.role == StoredRole::scales;
    tensor.place = place_of_tensor(tensor.name, scales ? 2 : tensor.shape.size());
    if (tensor.place.part == ModelPart::draft && tensor.place.layer) draft_layers.insert(*tensor.place.layer);
  }
  settle_recurrent_layers(inventory.tensors);
  for (TensorEntry& tensor : inventory.tensors) {
    const std::optional<std::int64_t> layer = tensor.place.layer;
    if (layer && ((layers && *layer >= *layers) || draft_layers.contains(*layer))) {
      tensor.place.part = ModelPart::draft;
    }
    add(inventory.total, tensor);
    add(inventory.by_format[tensor.format], tensor);
    add(inventory.by_part[static_cast<std::size_t>(tensor.place.part)], tensor);
    if (tensor.place.part != ModelPart::text) continue;
    add(tensor.place.kind ? inventory.text_by_class[*tensor.place.kind] : inventory.text_unrecognised,
        tensor);
  }
}

}  // namespace roofplan::model
