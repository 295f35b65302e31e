#include "cli/version.hpp"

#include "cli/build_info.hpp"
#include "model/json/embedded.hpp"

#include <fmt/format.h>

#include <cstdint>

namespace roofplan::cli {
namespace {

/// FNV-1a over names and texts of all data files (http://www.isthe.com/chongo/tech/comp/fnv): equal editions
/// mean equal data.
std::string data_edition() {
  std::uint64_t hash = 14695981039346656037ULL;
  const auto mix = [&](std::string_view text) {
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  };
  for (const model::EmbeddedFile& file : model::embedded_files()) {
    mix(file.path);
    mix(file.text);
  }
  return fmt::format("{:08x}", static_cast<std::uint32_t>(hash ^ (hash >> 32U)));
}

}  // namespace

const model::report::Tool& this_program() {
  static const model::report::Tool kTool{kBuildVersion, kBuildGit, kBuildDirty, data_edition()};
  return kTool;
}

std::string version_line() {
  const model::report::Tool& tool = this_program();
  return fmt::format("roofplan {} ({}{}), data {}", tool.version, tool.git, tool.dirty ? ", dirty" : "",
                     tool.data);
}

}  // namespace roofplan::cli
