#include "model/llm/files/bounded_reader.hpp"

#include "model/units/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace roofplan::model {
namespace {

constexpr std::size_t kBufferBytes = std::size_t{64} << 10;

template <class T>
T little_endian(const unsigned char* bytes) {
  T value = 0;
  for (std::size_t i = 0; i < sizeof(T); ++i)
    value = static_cast<T>(value | (static_cast<T>(bytes[i]) << (8 * i)));
  return value;
}

}  // namespace

BoundedReader::Descriptor::~Descriptor() {
  ::close(handle);
}

BoundedReader::BoundedReader(std::string path) : path_(std::move(path)) {
  const auto refuse = [&](std::string message, std::string expected) {
    throw InputError(InputError::Kind::missing, std::move(message), std::move(expected), {path_, {}, 0});
  };
  // O_NONBLOCK: opening a named pipe must not wait for its writer.
  const int handle = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (handle < 0) refuse(fmt::format("cannot be opened: {}", std::strerror(errno)), {});
  file_ = std::make_unique<Descriptor>(handle);
  struct stat status = {};
  if (::fstat(handle, &status) != 0) refuse(fmt::format("cannot be read: {}", std::strerror(errno)), {});
  if (!S_ISREG(status.st_mode)) refuse("this is no regular file", "a file");
  size_ = static_cast<std::uint64_t>(status.st_size);
}

void BoundedReader::fail(std::string message, std::string expected) const {
  throw InputError(InputError::Kind::content, std::move(message), std::move(expected), {path_, {}, 0});
}

void BoundedReader::refill() {
  buffer_.resize(static_cast<std::size_t>(std::min<std::uint64_t>(kBufferBytes, remaining())));
  buffer_start_ = position_;
  std::size_t filled = 0;
  while (filled < buffer_.size()) {
    const ssize_t got = ::pread(file_->handle, buffer_.data() + filled, buffer_.size() - filled,
                                static_cast<off_t>(position_ + filled));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) fail(fmt::format("cannot be read at byte {}", position_ + filled));
    filled += static_cast<std::size_t>(got);
  }
}

void BoundedReader::read(void* out, std::size_t length, std::string_view what) {
  expect_room(length, 1, what);
  auto* target = static_cast<char*>(out);
  while (length > 0) {
    if (position_ < buffer_start_ || position_ >= buffer_start_ + buffer_.size()) refill();
    const auto at = static_cast<std::size_t>(position_ - buffer_start_);
    const std::size_t part = std::min(length, buffer_.size() - at);
    std::memcpy(target, buffer_.data() + at, part);
    target += part;
    length -= part;
    position_ += part;
  }
}

void BoundedReader::expect_room(std::uint64_t count, std::uint64_t least_bytes, std::string_view what) const {
  if (count <= remaining() / least_bytes) return;
  fail(fmt::format("{} does not fit: {} x {} bytes or more from byte {} on, but the file has {} bytes", what,
                   count, least_bytes, position_, size_),
       "a whole file (is the download complete?)");
}

std::uint8_t BoundedReader::u8(std::string_view what) {
  unsigned char bytes[1];
  read(bytes, sizeof bytes, what);
  return bytes[0];
}

std::uint16_t BoundedReader::u16(std::string_view what) {
  unsigned char bytes[2];
  read(bytes, sizeof bytes, what);
  return little_endian<std::uint16_t>(bytes);
}

std::uint32_t BoundedReader::u32(std::string_view what) {
  unsigned char bytes[4];
  read(bytes, sizeof bytes, what);
  return little_endian<std::uint32_t>(bytes);
}

std::uint64_t BoundedReader::u64(std::string_view what) {
  unsigned char bytes[8];
  read(bytes, sizeof bytes, what);
  return little_endian<std::uint64_t>(bytes);
}

std::string BoundedReader::text(std::uint64_t length, std::uint64_t most, std::string_view what) {
  expect_room(length, 1, what);
  if (length > most)
    fail(fmt::format("{} is {} bytes long", what, length), fmt::format("at most {} bytes", most));
  std::string out(static_cast<std::size_t>(length), '\0');
  read(out.data(), out.size(), what);
  return out;
}

void BoundedReader::skip(std::uint64_t length, std::string_view what) {
  expect_room(length, 1, what);
  position_ += length;
}

bool is_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const int more = lead < 0x80         ? 0
                     : lead >> 5 == 0x6  ? 1
                     : lead >> 4 == 0xE  ? 2
                     : lead >> 3 == 0x1E ? 3
                                         : -1;
    if (more < 0 || i + static_cast<std::size_t>(more) >= text.size()) return false;
    std::uint32_t code = more == 0 ? lead : lead & (0x3FU >> more);
    for (int k = 1; k <= more; ++k) {
      const auto byte = static_cast<unsigned char>(text[i + static_cast<std::size_t>(k)]);
      if (byte >> 6 != 0x2) return false;
      code = code << 6 | (byte & 0x3FU);
    }
    constexpr std::uint32_t kLeast[] = {0, 0x80, 0x800, 0x10000};
    if (code < kLeast[more] || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) return false;
    i += static_cast<std::size_t>(more) + 1;
  }
  return true;
}

std::string printable(std::string_view text) {
  constexpr std::size_t kMost = 80;
  std::string out(text.substr(0, kMost));
  std::replace_if(
      out.begin(), out.end(), [](char c) { return c < 0x20 || c > 0x7E; }, '?');
  return text.size() > kMost ? out + "..." : out;
}

}  // namespace roofplan::model
