#pragma once

#include "model/llm/architecture.hpp"
#include "model/units/byte_count.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace roofplan::model {

/// The part of a checkpoint that a tensor belongs to; a server may or may not load the latter two.
enum class ModelPart {
  text,
  draft,   ///< multi-token-prediction modules
  vision,  ///< vision and audio towers and their projectors
};
inline constexpr std::size_t kModelParts = 3;

/// What the elements of a stored tensor are.
enum class StoredRole {
  weights,    ///< parameters of the model
  scales,     ///< scales, zero points and indices of a quantisation: bytes, but no parameters
  constants,  ///< rotary frequencies and the like: bytes, but no parameters
};

/// What a name says, in the naming of Hugging Face checkpoints and of GGUF.
struct TensorPlace {
  ModelPart part = ModelPart::text;
  std::optional<TensorClass> kind;    ///< of the text model and of draft modules; nothing: not recognised
  std::optional<std::int64_t> layer;  ///< number among the numbered layers of the model
};

/// Biases and vectors (`dimensions` of 1 or less) count as norms, as everywhere. Layers that hold parts of a
/// multi-token-prediction module are told over a whole file: see finish_inventory.
TensorPlace place_of_tensor(std::string_view name, std::size_t dimensions);

/// One tensor as a file holds it.
struct TensorEntry {
  std::string name;
  std::string stored;               ///< type in the file's own words: "BF16", "U8", "Q4_K"
  std::string format;               ///< what it encodes: "bf16", "int4", "nvfp4", "q4_k"
  std::vector<std::int64_t> shape;  ///< as stored, in the file's order
  std::int64_t parameters = 0;      ///< logical: 32/bits for each packed 32-bit word; 0 unless weights
  ByteCount bytes;                  ///< exact, without padding between tensors
  StoredRole role = StoredRole::weights;
  TensorPlace place;
};

/// A sum over tensors.
struct TensorTotal {
  std::int64_t tensors = 0;
  std::int64_t parameters = 0;
  ByteCount bytes;  ///< of weights with their scales, and of constants
};

/// What the files of a model hold: the truth about its size. Produced by the GGUF and safetensors readers.
struct TensorInventory {
  std::vector<TensorEntry> tensors;
  std::vector<std::string> files;
  ByteCount file_bytes;     ///< of all files, headers and padding included
  bool sizes_only = false;  ///< only an index without its files was there: no tensors, `file_bytes` alone
  std::vector<std::string> remarks;  ///< what the reader noticed and the user should know

  TensorTotal total;
  std::array<TensorTotal, kModelParts> by_part{};
  std::map<std::string, TensorTotal> by_format;
  std::map<TensorClass, TensorTotal> text_by_class;
  TensorTotal text_unrecognised;

  const TensorTotal& of(ModelPart part) const { return by_part[static_cast<std::size_t>(part)]; }
  /// Of the text model; zeros where it has none.
  const TensorTotal& of(TensorClass kind) const;
};

/// Places the tensors (a layer that holds parts of a multi-token-prediction module, or stands at or beyond
/// `layers`, is draft as a whole) and sums them up. Call once, after `tensors` is complete. Throws InputError
/// (content) when sums leave 64 bits.
void finish_inventory(TensorInventory& inventory, std::optional<std::int64_t> layers = std::nullopt);

}  // namespace roofplan::model
