#pragma once

#include "model/llm/architecture.hpp"
#include "model/llm/files/tensor_inventory.hpp"

namespace roofplan::model {

/// The bytes of the files by layer and class. A head that is stored although it is tied is a duplicate.
StoredWeights stored_weights(const Architecture& model, const TensorInventory& inventory);

}  // namespace roofplan::model
