#include "model/llm/files/side_modules.hpp"

#include "model/llm/parameters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace roofplan::model {

bool is_copy(std::string_view name) {
  static constexpr std::array<std::string_view, 4> kCopies{".embed_tokens.weight", ".shared_head.head.weight",
                                                           ".nextn.shared_head_head.weight",
                                                           ".nextn.embed_tokens.weight"};
  return std::any_of(kCopies.begin(), kCopies.end(),
                     [&](std::string_view ending) { return name.ends_with(ending); });
}

void set_side_modules(SideModules& side, const TensorInventory& inventory) {
  side.mtp_params = side.duplicate_params = 0;
  for (const TensorEntry& tensor : inventory.tensors) {
    if (tensor.place.part != ModelPart::draft) continue;
    std::int64_t& sum = is_copy(tensor.name) ? side.duplicate_params : side.mtp_params;
    sum = checked_add(sum, tensor.parameters);
  }
  if (side.mtp_params == 0) side.mtp_layers = 0;
  side.vision_params = inventory.of(ModelPart::vision).parameters;
}

std::string parameter_difference(const Architecture& model, const TensorInventory& inventory) {
  const std::int64_t held = inventory.of(ModelPart::text).parameters;
  const ParameterCounts understood = count_parameters(model);
  if (held == understood.total) return {};
  if (model.tied_embeddings && held == checked_add(understood.total, understood.head)) {
    return "the files store the output head although it is tied to the embedding: larger on disk than in "
           "memory";
  }
  return fmt::format("the files hold {} parameters, the architecture as understood has {}", held,
                     understood.total);
}

}  // namespace roofplan::model
