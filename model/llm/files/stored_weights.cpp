#include "model/llm/files/stored_weights.hpp"

#include "model/llm/files/side_modules.hpp"

namespace roofplan::model {
namespace {

/// Where the bytes of a tensor are counted.
ByteCount& place_in(StoredWeights& stored, const Architecture& model, const TensorEntry& tensor) {
  const TensorPlace& place = tensor.place;
  if (place.part == ModelPart::vision) return stored.vision;
  if (place.part == ModelPart::draft) return is_copy(tensor.name) ? stored.duplicates : stored.mtp;
  if (!place.kind) return stored.unrecognised;
  if (*place.kind == TensorClass::head && model.tied_embeddings) return stored.duplicates;
  if (place.layer && *place.layer >= model.layers()) return stored.mtp;
  StoredWeights::ByClass& classes =
      place.layer ? stored.layers[static_cast<std::size_t>(*place.layer)] : stored.outside;
  return classes[static_cast<std::size_t>(*place.kind)];
}

}  // namespace

StoredWeights stored_weights(const Architecture& model, const TensorInventory& inventory) {
  StoredWeights stored;
  stored.files = inventory.file_bytes;
  if (inventory.sizes_only) return stored;
  stored.layers.resize(static_cast<std::size_t>(model.layers()));
  for (const TensorEntry& tensor : inventory.tensors) place_in(stored, model, tensor) += tensor.bytes;
  return stored;
}

}  // namespace roofplan::model
