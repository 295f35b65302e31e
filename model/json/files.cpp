#include "model/json/json.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace roofplan::model {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void refuse(const std::string& path, std::string_view what) {
  throw InputError(InputError::Kind::missing, fmt::format("{}: {}", what, std::strerror(errno)), {},
                   {path, {}, 0});
}

/// A file open for reading.
class Descriptor {
 public:
  explicit Descriptor(const std::string& path)
      // A named pipe without a writer must not hold the program: it opens at once and reads as empty.
      : handle_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
    if (handle_ < 0) refuse(path, "cannot be opened");
    ::fcntl(handle_, F_SETFL, ::fcntl(handle_, F_GETFL) & ~O_NONBLOCK);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { ::close(handle_); }
  int handle() const { return handle_; }

 private:
  int handle_;
};

}  // namespace

std::string read_text_file(const std::string& path, std::size_t max_bytes) {
  std::error_code error;
  if (fs::is_directory(path, error)) {
    throw InputError(InputError::Kind::missing, "this is a folder", "a file", {path, {}, 0});
  }
  const Descriptor file(path);
  // Read in pieces: a pipe has no size, and a stated size may lie.
  std::string text;
  std::vector<char> piece(std::size_t{1} << 16);
  for (;;) {
    const ssize_t got = ::read(file.handle(), piece.data(), piece.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) refuse(path, "cannot be read");
    if (got == 0) return text;
    text.append(piece.data(), static_cast<std::size_t>(got));
    if (text.size() > max_bytes) {
      throw InputError(InputError::Kind::content,
                       fmt::format("the file is larger than {} MiB", max_bytes >> 20), {}, {path, {}, 0});
    }
  }
}

void check_writable(const std::string& path) {
  std::error_code error;
  if (fs::is_directory(path, error))
    throw InputError(InputError::Kind::missing, "cannot be written: this is a folder", "a file",
                     {path, {}, 0});
  const fs::path folder = fs::path(path).parent_path();
  if (::access(folder.empty() ? "." : folder.c_str(), W_OK | X_OK) != 0) refuse(path, "cannot be written");
}

void write_text_file(const std::string& path, std::string_view text) {
  const std::string temporary = fmt::format("{}.tmp{}", path, ::getpid());
  std::ofstream out(temporary, std::ios::binary | std::ios::trunc);
  out.write(text.data(), static_cast<std::streamsize>(text.size()));
  out.close();
  std::error_code error;
  if (out) fs::rename(temporary, path, error);
  if (!out || error) {
    const std::string reason = error ? error.message() : std::strerror(errno);
    fs::remove(temporary, error);
    throw InputError(InputError::Kind::missing, "cannot be written: " + reason, {}, {path, {}, 0});
  }
}

}  // namespace roofplan::model
