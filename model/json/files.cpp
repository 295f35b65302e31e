#include "model/json/json.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace roofplan::model {

namespace fs = std::filesystem;

std::string read_text_file(const std::string& path, std::size_t max_bytes) {
  std::error_code error;
  if (fs::is_directory(path, error)) {
    throw InputError(InputError::Kind::missing, "this is a folder", "a file", {path, {}, 0});
  }
  std::ifstream in(path, std::ios::binary);
  if (!in) {
    throw InputError(InputError::Kind::missing, fmt::format("cannot be opened: {}", std::strerror(errno)), {},
                     {path, {}, 0});
  }
  // Read in pieces: a pipe has no size, and a stated size may lie.
  std::string text;
  std::vector<char> piece(std::size_t{1} << 16);
  while (in.read(piece.data(), static_cast<std::streamsize>(piece.size())), in.gcount() > 0) {
    text.append(piece.data(), static_cast<std::size_t>(in.gcount()));
    if (text.size() > max_bytes) {
      throw InputError(InputError::Kind::content,
                       fmt::format("the file is larger than {} MiB", max_bytes >> 20), {}, {path, {}, 0});
    }
  }
  return text;
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
