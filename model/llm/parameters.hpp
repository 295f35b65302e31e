#pragma once

#include "model/llm/architecture.hpp"

#include <array>
#include <cstdint>

namespace roofplan::model {

/// Exact parameter counts of a model.
struct ParameterCounts {
  std::int64_t total = 0;   ///< the text model: embedding, layers, final norm, head
  std::int64_t active = 0;  ///< read per token: top-k experts, the head (tied or not), no input embedding
  std::int64_t embedding = 0;
  std::int64_t head = 0;        ///< as read: of a tied model the embedding again
  std::int64_t mtp = 0;         ///< multi-token-prediction modules
  std::int64_t vision = 0;      ///< vision and audio towers with their projectors
  std::int64_t duplicates = 0;  ///< second copies of embedding and head in the published files
  std::int64_t scales = 0;      ///< quantisation scales that the Hub counts as parameters
  std::int64_t checkpoint = 0;  ///< everything the published files count: the sum
  std::array<std::int64_t, kTensorClasses> by_class{};         ///< of `total`
  std::array<std::int64_t, kTensorClasses> active_by_class{};  ///< of `active`

  std::int64_t of(TensorClass c) const { return by_class[static_cast<std::size_t>(c)]; }
};

/// Sums the tensors of `model`. Throws InputError (content) when a sum leaves 64 bits.
ParameterCounts count_parameters(const Architecture& model);

/// Elements of one layer of `group`.
std::int64_t layer_elements(const Architecture& model, const LayerGroup& group);

}  // namespace roofplan::model
