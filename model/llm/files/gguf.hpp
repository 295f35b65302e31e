#pragma once

#include "model/llm/files/tensor_inventory.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace roofplan::model {

/// An array of the metadata. Integers and flags are kept when there are at most 65,536 of them (one a layer,
/// never a vocabulary); of everything else only the length is known.
struct GgufArray {
  std::uint64_t length = 0;
  std::vector<std::int64_t> integers;
  bool is_integers = false;
};

/// The key-value part of a GGUF header. Look-ups return nothing where the key is absent and throw InputError
/// (content) naming file and key where it has another type. Texts above 64 KiB (chat templates) are left out.
class GgufMetadata {
 public:
  using Value = std::variant<std::monostate, std::int64_t, double, bool, std::string, GgufArray>;

  explicit GgufMetadata(std::string file = {}) : file_(std::move(file)) {}
  /// False when the key is there already.
  bool insert(std::string key, Value value);

  const std::string& file() const { return file_; }
  bool has(std::string_view key) const { return values_.find(key) != values_.end(); }
  std::optional<std::int64_t> integer(std::string_view key) const;
  std::optional<bool> flag(std::string_view key) const;
  std::optional<std::string> text(std::string_view key) const;
  std::optional<std::uint64_t> array_length(std::string_view key) const;
  /// Whether the key holds an array of integers or flags.
  bool is_list(std::string_view key) const;
  /// One value for each of `layers`: a scalar is repeated; an array must have an entry for each of them, and
  /// may have one for each of `drafts` more behind them.
  std::optional<std::vector<std::int64_t>> per_layer(std::string_view key, std::int64_t layers,
                                                     std::int64_t drafts = 0) const;

  [[noreturn]] void fail(std::string_view key, std::string message, std::string expected = {}) const;

 private:
  const Value* find(std::string_view key) const;

  std::string file_;
  std::map<std::string, Value, std::less<>> values_;
};

/// The header of one GGUF file (format: docs/gguf.md of ggml-org/ggml), versions 2 and 3, little-endian.
struct GgufHeader {
  std::uint32_t version = 0;
  std::uint64_t alignment = 32;
  std::uint64_t data_offset = 0;  ///< where tensor data begins
  std::uint64_t file_bytes = 0;
  GgufMetadata metadata;
  std::vector<TensorEntry> tensors;  ///< not yet classified
};

/// Reads the header of one file, not its tensor data. Memory stays within a small multiple of the header's
/// bytes in the file, whatever the counts in it claim. Throws InputError: missing when the file cannot be
/// read, content for another format, version 1, big-endian, an unknown tensor type, twofold names, offsets
/// that are not end to end, names that are no UTF-8, and data beyond the end of the file.
GgufHeader read_gguf_header(const std::string& path);

/// A model in GGUF files.
struct GgufModel {
  GgufMetadata metadata;  ///< of the first part
  TensorInventory inventory;
};

/// Reads all headers of a model from any part of it ("name-00002-of-00004.gguf"); the other parts must stand
/// beside it. Errors as above, and missing for a part that is not there, content for parts that do not belong
/// together.
GgufModel read_gguf(const std::string& path);

}  // namespace roofplan::model
