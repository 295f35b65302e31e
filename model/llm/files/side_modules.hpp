#pragma once

#include "model/llm/architecture.hpp"
#include "model/llm/files/tensor_inventory.hpp"

#include <string>
#include <string_view>

namespace roofplan::model {

/// Whether a tensor of a draft module repeats the embedding or the head of the text model.
bool is_copy(std::string_view name);

/// Sets the parameters of draft modules, of copies of embedding and head in them, and of vision towers to
/// what the files hold: a config may declare modules that its files lack.
void set_side_modules(SideModules& side, const TensorInventory& inventory);

/// How the text model in the files differs from the architecture as understood, in words; empty: not at all.
std::string parameter_difference(const Architecture& model, const TensorInventory& inventory);

}  // namespace roofplan::model
