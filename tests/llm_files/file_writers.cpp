#include "tests/llm_files/file_writers.hpp"

#include <fmt/format.h>

#include <fstream>
#include <stdexcept>
#include <unistd.h>

namespace roofplan::test {

namespace fs = std::filesystem;

TemporaryFolder::TemporaryFolder() {
  static int number = 0;
  root_ = fs::temp_directory_path() / fmt::format("roofplan_files_{}_{}", ::getpid(), number++);
  fs::create_directories(root_);
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code error;
  fs::remove_all(root_, error);
}

void TemporaryFolder::write(const std::string& name, std::string_view content) const {
  std::ofstream(root_ / name, std::ios::binary) << content;
}

void write_sparse(const std::string& path, std::string_view head, std::uint64_t bytes) {
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out << head;
  out.close();
  if (!out) throw std::runtime_error("cannot write " + path);
  fs::resize_file(path, bytes);
}

std::string le32(std::uint32_t value) {
  std::string out;
  for (int i = 0; i < 4; ++i) out += static_cast<char>(value >> (8 * i) & 0xFFU);
  return out;
}

std::string le64(std::uint64_t value) {
  return le32(static_cast<std::uint32_t>(value)) + le32(static_cast<std::uint32_t>(value >> 32U));
}

std::string gguf_text(std::string_view text) {
  return le64(text.size()) + std::string(text);
}

void GgufWriter::key(std::string_view name, std::uint32_t type) {
  ++pairs_;
  metadata_ += gguf_text(name) + le32(type);
}

GgufWriter& GgufWriter::integer(std::string_view name, std::uint32_t value) {
  return raw(name, 4, le32(value));
}

GgufWriter& GgufWriter::flag(std::string_view name, bool value) {
  return raw(name, 7, value ? "\x01" : std::string_view("\0", 1));
}

GgufWriter& GgufWriter::text(std::string_view name, std::string_view value) {
  return raw(name, 8, gguf_text(value));
}

GgufWriter& GgufWriter::integers(std::string_view name, const std::vector<std::int32_t>& values) {
  std::string bytes = le32(5) + le64(values.size());
  for (const std::int32_t value : values) bytes += le32(static_cast<std::uint32_t>(value));
  return raw(name, 9, bytes);
}

GgufWriter& GgufWriter::flags(std::string_view name, const std::vector<bool>& values) {
  std::string bytes = le32(7) + le64(values.size());
  for (const bool value : values) bytes += value ? '\x01' : '\0';
  return raw(name, 9, bytes);
}

GgufWriter& GgufWriter::texts(std::string_view name, std::uint64_t count) {
  return raw(name, 9, le32(8) + le64(count) + std::string(count * 8, '\0'));
}

GgufWriter& GgufWriter::raw(std::string_view name, std::uint32_t type, std::string_view bytes) {
  key(name, type);
  metadata_ += bytes;
  return *this;
}

GgufWriter& GgufWriter::tensor(std::string_view name, const std::vector<std::uint64_t>& shape,
                               std::string_view type) {
  for (const model::GgmlType& known : model::kGgmlTypes) {
    if (known.name != type) continue;
    std::uint64_t elements = 1;
    for (const std::uint64_t n : shape) elements *= n;
    const std::uint64_t offset = padded(last_end_);
    raw_tensor(name, shape, known.id, offset);
    last_end_ =
        offset + elements / static_cast<std::uint64_t>(known.block) * static_cast<std::uint64_t>(known.bytes);
    return *this;
  }
  throw std::runtime_error("no such type");
}

GgufWriter& GgufWriter::raw_tensor(std::string_view name, const std::vector<std::uint64_t>& shape,
                                   std::uint32_t type, std::uint64_t offset) {
  ++tensors_;
  infos_ += gguf_text(name) + le32(static_cast<std::uint32_t>(shape.size()));
  for (const std::uint64_t n : shape) infos_ += le64(n);
  infos_ += le32(type) + le64(offset);
  return *this;
}

std::string GgufWriter::header() const {
  return "GGUF" + le32(version_) + le64(tensors_) + le64(pairs_) + metadata_ + infos_;
}

SafetensorsWriter& SafetensorsWriter::tensor(const std::string& name, const std::string& dtype,
                                             const std::vector<std::int64_t>& shape) {
  const std::uint64_t bits = dtype == "F4"                                             ? 4
                             : dtype.find("8") != std::string::npos || dtype == "BOOL" ? 8
                             : dtype.find("16") != std::string::npos                   ? 16
                             : dtype.find("32") != std::string::npos                   ? 32
                                                                                       : 64;
  std::uint64_t elements = 1;
  for (const std::int64_t n : shape) elements *= static_cast<std::uint64_t>(n);
  const std::uint64_t end = offset_ + elements * bits / 8;
  json_ += fmt::format(R"({}"{}":{{"dtype":"{}","shape":[{}],"data_offsets":[{},{}]}})",
                       json_.empty() ? "" : ",", name, dtype, fmt::join(shape, ","), offset_, end);
  names_.push_back(name);
  offset_ = end;
  return *this;
}

std::string safetensors_head(std::string_view json) {
  return le64(json.size()) + std::string(json);
}

std::string SafetensorsWriter::header() const {
  return safetensors_head(R"({"__metadata__":{"format":"pt"})" + std::string(json_.empty() ? "" : ",") +
                          json_ + "}");
}

void SafetensorsWriter::write(const std::string& path) const {
  const std::string head = header();
  write_sparse(path, head, head.size() + offset_);
}

}  // namespace roofplan::test
