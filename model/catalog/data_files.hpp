#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace roofplan::model {

/// The files of data/ as compiled in, with a folder of the user's laid over them: a file there replaces the
/// file of the same path and joins the others where its path is new. Files of data/ are named by their path
/// below it, "systems/gb10.json".
class DataFiles {
 public:
  /// The compiled-in files alone.
  DataFiles();
  /// With the folder `overlay` over them; empty means none. Throws InputError (missing) when it is no folder
  /// or cannot be read.
  explicit DataFiles(const std::string& overlay);

  /// Lays one more file over the others, as if it stood in the overlay at `shown`.
  void lay_over(std::string_view path, std::string text, std::string shown);

  /// All paths of one folder ("systems"), ordered; not those of folders below it.
  std::vector<std::string> in_folder(std::string_view folder) const;
  bool contains(std::string_view path) const { return files_.contains(path); }
  /// The text of a file. Throws InputError (missing) when there is none of that path.
  const std::string& text(std::string_view path) const;
  /// The compiled-in text of a file that the overlay replaces, or nullptr.
  const std::string* replaced_text(std::string_view path) const;
  /// How errors name the file: the path in the overlay, or "data/..." where it is compiled in.
  std::string shown_path(std::string_view path) const;
  bool from_overlay(std::string_view path) const;
  /// Every path, ordered.
  std::vector<std::string> paths() const;

 private:
  struct File {
    std::string text;
    std::string overlay_path;  ///< empty where compiled in
    std::string replaced;      ///< the compiled-in text under it
  };
  std::map<std::string, File, std::less<>> files_;
};

}  // namespace roofplan::model
