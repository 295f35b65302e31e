#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace roofplan::model {

/// Reads a binary file front to back through a small buffer, knowing how long it is. A length found in the
/// file is held against what is left before anything is allocated for it, so that a size that lies costs
/// an error and no memory. Numbers are little-endian. Errors are InputError: missing when the file cannot be
/// opened or is no regular file, content when it ends too early; both name the file.
class BoundedReader {
 public:
  explicit BoundedReader(std::string path);

  const std::string& path() const { return path_; }
  std::uint64_t size() const { return size_; }
  std::uint64_t position() const { return position_; }
  std::uint64_t remaining() const { return size_ - position_; }

  std::uint8_t u8(std::string_view what);
  std::uint16_t u16(std::string_view what);
  std::uint32_t u32(std::string_view what);
  std::uint64_t u64(std::string_view what);
  /// `length` bytes as text; refuses a length beyond `most` or beyond the end of the file.
  std::string text(std::uint64_t length, std::uint64_t most, std::string_view what);
  void skip(std::uint64_t length, std::string_view what);
  /// Throws unless `count` items of at least `least_bytes` each can still follow.
  void expect_room(std::uint64_t count, std::uint64_t least_bytes, std::string_view what) const;

  [[noreturn]] void fail(std::string message, std::string expected = {}) const;

 private:
  void read(void* out, std::size_t length, std::string_view what);
  void refill();

  struct Descriptor {
    explicit Descriptor(int opened) : handle(opened) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor();
    int handle;
  };

  std::string path_;
  std::unique_ptr<Descriptor> file_;
  std::uint64_t size_ = 0, position_ = 0;
  std::uint64_t buffer_start_ = 0;
  std::vector<char> buffer_;
};

/// Whether `text` is well-formed UTF-8 (RFC 3629: no overlong forms, surrogates or values above U+10FFFF).
bool is_utf8(std::string_view text);

/// `text` fit for a message: at most 80 bytes, what is no printable ASCII shown as '?'.
std::string printable(std::string_view text);

}  // namespace roofplan::model
