#pragma once

#include <span>
#include <string_view>

namespace roofplan::model {

/// A file of data/ as compiled into the program.
struct EmbeddedFile {
  std::string_view path;  ///< below data/, e.g. "systems/gb10.json"
  std::string_view text;
};

/// All of them, ordered by path.
std::span<const EmbeddedFile> embedded_files();

}  // namespace roofplan::model
