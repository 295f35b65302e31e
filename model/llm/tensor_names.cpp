#include "model/llm/tensors.hpp"

#include <array>
#include <cstddef>

namespace roofplan::model {

std::string_view to_string(TensorRole role) {
  static constexpr std::array<std::string_view, 35> kNames = {"embedding",   "positions",
                                                              "head",        "q_proj",
                                                              "k_proj",      "v_proj",
                                                              "o_proj",      "q_a_proj",
                                                              "q_b_proj",    "kv_a_proj",
                                                              "kv_b_proj",   "o_a_proj",
                                                              "gate_proj",   "index_q",
                                                              "index_k",     "index_weights",
                                                              "sinks",       "gate",
                                                              "up",          "down",
                                                              "router",      "shared_expert_gate",
                                                              "latent_down", "latent_up",
                                                              "in_proj",     "gate_in_proj",
                                                              "conv",        "x_proj",
                                                              "dt_proj",     "decay_proj",
                                                              "out_proj",    "state_vectors",
                                                              "bias",        "router_bias",
                                                              "norm"};
  static_assert(kNames.size() == static_cast<std::size_t>(TensorRole::norm) + 1);
  return kNames[static_cast<std::size_t>(role)];
}

std::string_view to_string(TensorClass kind) {
  static constexpr std::array<std::string_view, kTensorClasses> kNames = {
      "embedding", "head",          "attention", "indexer",   "dense_ffn",
      "expert",    "shared_expert", "router",    "recurrent", "norm"};
  static_assert(kNames.size() == static_cast<std::size_t>(TensorClass::norm) + 1);
  return kNames[static_cast<std::size_t>(kind)];
}

}  // namespace roofplan::model
