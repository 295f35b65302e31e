#pragma once

#include "model/llm/architecture.hpp"
#include "model/llm/files/gguf.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace roofplan::model {

/// The keys of one architecture in a GGUF's metadata, checked for range.
class GgufKeys {
 public:
  explicit GgufKeys(const GgufMetadata& metadata);

  const GgufMetadata& metadata() const { return *metadata_; }
  const std::string& architecture() const { return architecture_; }
  std::string full(std::string_view key) const { return architecture_ + "." + std::string(key); }
  /// From 1 to 2^31; refuses a key that is missing.
  std::int64_t count(std::string_view key) const;
  /// From 0 to 2^31.
  std::int64_t count_or(std::string_view key, std::int64_t other) const;
  /// One a layer, from 0 to 2^31; `other` where the key is missing. Lists as in GgufMetadata::per_layer.
  std::vector<std::int64_t> per_layer(std::string_view key, std::int64_t layers, std::int64_t drafts,
                                      std::int64_t other) const;

 private:
  std::int64_t checked(std::string_view key, std::int64_t value, std::int64_t least) const;

  const GgufMetadata* metadata_;
  std::string architecture_;
};

/// The tensors of one layer by the part of their name behind "blk.N.", and what the metadata says of it.
struct GgufLayer {
  std::map<std::string_view, const TensorEntry*> tensors;
  std::int64_t number = 0;
  std::int64_t heads = 0;
  std::int64_t kv_heads = 0;
  std::int64_t key_length = 0;
  std::int64_t value_length = 0;
  std::optional<std::int64_t> window;
  bool cached = true;

  const TensorEntry* find(std::string_view name) const;
  bool has(std::string_view name) const { return find(name) != nullptr; }
  /// Width of the dimension (0: along a row), 1 beyond the last; 0 without the tensor.
  std::int64_t width(std::string_view name, std::size_t dimension) const;
  /// Parameters of the tensor; 0 without it.
  std::int64_t elements(std::string_view name) const;
};

/// The parts of a layer, told by its tensors. Throws InputError (content) as gguf_architecture.
LayerGroup gguf_layer_group(const GgufKeys& keys, const GgufLayer& layer);

}  // namespace roofplan::model
