#include "model/catalog/data_files.hpp"

#include "model/json/embedded.hpp"
#include "model/json/json.hpp"

#include <filesystem>

namespace roofplan::model {

namespace fs = std::filesystem;

DataFiles::DataFiles() {
  for (const EmbeddedFile& file : embedded_files()) files_[std::string(file.path)].text = file.text;
}

DataFiles::DataFiles(const std::string& overlay) : DataFiles() {
  if (overlay.empty()) return;
  std::error_code error;
  if (!fs::is_directory(overlay, error)) {
    throw InputError(InputError::Kind::missing, "no such folder", "a folder laid out like data/",
                     {overlay, {}, 0});
  }
  for (fs::recursive_directory_iterator it(overlay, error), end; !error && it != end; it.increment(error)) {
    if (!it->is_regular_file(error) || it->path().extension() != ".json") continue;
    const std::string path = it->path().lexically_relative(overlay).generic_string();
    if (path.starts_with("schema/")) continue;
    File& file = files_[path];
    file.replaced = std::exchange(file.text, read_text_file(it->path().string()));
    file.overlay_path = it->path().string();
  }
  if (error) throw InputError(InputError::Kind::missing, error.message(), {}, {overlay, {}, 0});
}

void DataFiles::lay_over(std::string_view path, std::string text, std::string shown) {
  File& file = files_[std::string(path)];
  file.replaced = std::exchange(file.text, std::move(text));
  file.overlay_path = std::move(shown);
}

std::vector<std::string> DataFiles::in_folder(std::string_view folder) const {
  std::vector<std::string> out;
  for (const auto& [path, file] : files_) {
    const std::size_t slash = path.rfind('/');
    if (slash != std::string::npos && std::string_view(path).substr(0, slash) == folder) out.push_back(path);
  }
  return out;
}

std::vector<std::string> DataFiles::paths() const {
  std::vector<std::string> out;
  for (const auto& [path, file] : files_) out.push_back(path);
  return out;
}

const std::string& DataFiles::text(std::string_view path) const {
  const auto it = files_.find(path);
  if (it == files_.end()) {
    throw InputError(InputError::Kind::missing, "the catalogue has no such file", {},
                     {shown_path(path), {}, 0}, nearest_names(path, paths()));
  }
  return it->second.text;
}

const std::string* DataFiles::replaced_text(std::string_view path) const {
  const auto it = files_.find(path);
  return it == files_.end() || it->second.replaced.empty() ? nullptr : &it->second.replaced;
}

bool DataFiles::from_overlay(std::string_view path) const {
  const auto it = files_.find(path);
  return it != files_.end() && !it->second.overlay_path.empty();
}

std::string DataFiles::shown_path(std::string_view path) const {
  return from_overlay(path) ? files_.find(path)->second.overlay_path : "data/" + std::string(path);
}

}  // namespace roofplan::model
