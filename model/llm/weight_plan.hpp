#pragma once

#include "model/llm/formats.hpp"

#include <array>
#include <string>
#include <string_view>

namespace roofplan::model {

/// Which number format every tensor of one model is stored in.
class WeightPlan {
 public:
  /// `id` is "native" (as published, by tensor class), a format (the classes that such checkpoints leave in
  /// 16 bits stay so) or a GGUF mix (by role and layer; vectors and routers in fp32). The plan refers to
  /// `table` and `model`, which must outlive it. Throws InputError (usage) for an unknown id, (content)
  /// where the model names a native format that the table has not.
  WeightPlan(const FormatTable& table, const Architecture& model, std::string_view id);

  const std::string& id() const { return id_; }
  /// The format that most of the weights have: that of the experts, else of the dense feed-forward part,
  /// else of attention or the recurrent layers.
  const NumberFormat& main_format() const { return *main_; }
  /// The format of a tensor of layer `layer` (first is 0; any value for tensors outside the layers).
  const NumberFormat& format_of(const Tensor& tensor, std::int64_t layer) const;
  /// True where layers that are alike may differ in format.
  bool depends_on_layer() const { return mix_ != nullptr && !mix_->rules.empty(); }
  const FormatMix* mix() const { return mix_; }
  /// Exact bytes instead of computed ones: of the native plan of a model whose files were read, else null.
  const StoredWeights* stored() const {
    return id_ == "native" && model_->stored ? &*model_->stored : nullptr;
  }

 private:
  const NumberFormat* of_class(TensorClass kind) const { return by_class_[static_cast<std::size_t>(kind)]; }
  const NumberFormat& of_mix(const Tensor& tensor, std::int64_t layer) const;
  const std::string& mix_type(const Tensor& tensor, std::int64_t layer) const;
  bool holds(const MixRule& rule, std::string_view part, std::int64_t layer, const std::string& type) const;
  const NumberFormat* choose_main() const;

  std::string id_;
  const FormatTable* table_;
  const Architecture* model_;
  const FormatMix* mix_ = nullptr;
  const NumberFormat* sixteen_ = nullptr;     ///< of what stays unquantised
  const NumberFormat* thirty_two_ = nullptr;  ///< of vectors in GGUF files
  std::array<const NumberFormat*, kTensorClasses> by_class_{};
  const NumberFormat* main_ = nullptr;
  std::int64_t query_group_ = 1;  ///< query heads per KV head of the first attention layer
  std::int64_t experts_ = 0;
};

/// What a program that reads GGUF files alone holds where `id` is asked for: of a checkpoint with routed
/// experts in a format whose GGUF file is a mix, that mix ("mxfp4_moe" for "mxfp4", and for "native" of
/// gpt-oss); else `id`. Stand-in shapes have no checkpoint.
std::string in_gguf(const FormatTable& table, const Architecture& model, std::string_view id);

}  // namespace roofplan::model
