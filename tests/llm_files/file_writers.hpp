#pragma once

#include "model/llm/files/gguf_types.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace roofplan::test {

/// A folder of its own below the system's temporary folder, removed at the end.
class TemporaryFolder {
 public:
  TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder();

  std::string path(const std::string& name = {}) const {
    return name.empty() ? root_.string() : (root_ / name).string();
  }
  void write(const std::string& name, std::string_view content) const;

 private:
  std::filesystem::path root_;
};

/// Writes `head` and then a hole up to `bytes`: a file of any length that takes no room on disk.
void write_sparse(const std::string& path, std::string_view head, std::uint64_t bytes);

/// The bytes of GGUF headers, for well-formed files and, field by field, for others.
class GgufWriter {
 public:
  explicit GgufWriter(std::uint32_t version = 3) : version_(version) {}

  GgufWriter& integer(std::string_view key, std::uint32_t value);
  GgufWriter& flag(std::string_view key, bool value);
  GgufWriter& text(std::string_view key, std::string_view value);
  GgufWriter& integers(std::string_view key, const std::vector<std::int32_t>& values);
  GgufWriter& flags(std::string_view key, const std::vector<bool>& values);
  /// `count` empty texts, as a vocabulary of that many tokens.
  GgufWriter& texts(std::string_view key, std::uint64_t count);
  /// Any entry: a value type and its bytes.
  GgufWriter& raw(std::string_view key, std::uint32_t type, std::string_view bytes);
  /// A tensor of a ggml type by name, placed after the one before it.
  GgufWriter& tensor(std::string_view name, const std::vector<std::uint64_t>& shape, std::string_view type);
  /// A tensor exactly as told.
  GgufWriter& raw_tensor(std::string_view name, const std::vector<std::uint64_t>& shape, std::uint32_t type,
                         std::uint64_t offset);

  /// Magic number up to the last tensor's entry.
  std::string header() const;
  /// Where tensor data begins, and where the file ends without padding after the last tensor.
  std::uint64_t data_offset() const { return padded(header().size()); }
  std::uint64_t end() const { return tensors_ == 0 ? header().size() : data_offset() + last_end_; }
  void write(const std::string& path) const { write_sparse(path, header(), end()); }

 private:
  static std::uint64_t padded(std::uint64_t n) { return (n + 31) / 32 * 32; }
  void key(std::string_view name, std::uint32_t type);

  std::uint32_t version_;
  std::uint64_t pairs_ = 0, tensors_ = 0, last_end_ = 0;
  std::string metadata_, infos_;
};

std::string le32(std::uint32_t value);
std::string le64(std::uint64_t value);
/// A text as GGUF stores it.
std::string gguf_text(std::string_view text);

/// A safetensors file; the data is a hole.
class SafetensorsWriter {
 public:
  SafetensorsWriter& tensor(const std::string& name, const std::string& dtype,
                            const std::vector<std::int64_t>& shape);
  const std::vector<std::string>& names() const { return names_; }
  std::string header() const;  ///< length and JSON
  std::uint64_t data_bytes() const { return offset_; }
  void write(const std::string& path) const;

 private:
  std::string json_;
  std::vector<std::string> names_;
  std::uint64_t offset_ = 0;
};

/// Length and text, as a safetensors file begins.
std::string safetensors_head(std::string_view json);

}  // namespace roofplan::test
