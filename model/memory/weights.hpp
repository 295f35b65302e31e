#pragma once

#include "model/llm/weight_plan.hpp"
#include "model/units/byte_count.hpp"

#include <array>

namespace roofplan::model {

/// Bytes of a model's weights in one plan, exact to the block: scales, zero points and padding included.
struct WeightBytes {
  std::array<ByteCount, kTensorClasses> by_class{};  ///< of `text`
  ByteCount text;         ///< the text model, what every server loads; tensors of no known class included
  ByteCount mtp;          ///< multi-token-prediction modules, at the average size of the layers' parameters
  ByteCount vision;       ///< vision and audio towers, in 16 bits
  ByteCount duplicates;   ///< second copies of embedding and head in the published files, in 16 bits
  ByteCount in_file;      ///< all of them; of files that were read, headers and padding too
  double file_ratio = 1;  ///< size of the files over what their formats tell, where that alone is known

  ByteCount of(TensorClass kind) const { return by_class[static_cast<std::size_t>(kind)]; }
};

/// What the files of `model` hold where they were read and the plan is the native one; else the sum of
/// matrix_bytes over its tensors. A tied embedding counts once. Throws InputError (content) when a sum leaves
/// 64 bits.
WeightBytes weight_bytes(const Architecture& model, const WeightPlan& plan);

}  // namespace roofplan::model
