#include "model/catalog/system_catalog.hpp"

#include "model/catalog/system_reader.hpp"
#include "model/units/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <tuple>

namespace roofplan::model {
namespace {

std::vector<std::string> words(std::string_view text) {
  std::vector<std::string> out;
  bool inside = false;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool letter = std::isalnum(byte) != 0 || byte >= 0x80;
    if (letter && !inside) out.emplace_back();
    if (letter) out.back() += static_cast<char>(byte < 0x80 ? std::tolower(byte) : byte);
    inside = letter;
  }
  return out;
}

std::string folded(std::string_view name) {
  return fmt::format("{}", fmt::join(words(name), ""));
}

/// The id of a file: compiled-in files are named by it, so that only those of an overlay are read for it.
std::string id_of(const DataFiles& files, const std::string& path) {
  if (files.from_overlay(path)) return read_id(files.text(path), files.shown_path(path));
  const std::size_t start = path.rfind('/') + 1;
  return path.substr(start, path.rfind('.') - start);
}

/// The files of one folder by id; a file of the overlay wins over a compiled-in one.
std::map<std::string, std::string> files_by_id(const DataFiles& files, std::string_view folder) {
  std::map<std::string, std::string> out;
  for (const std::string& path : files.in_folder(folder)) {
    const std::string id = id_of(files, path);
    const auto [it, fresh] = out.emplace(id, path);
    if (fresh) continue;
    if (files.from_overlay(path) == files.from_overlay(it->second)) {
      throw InputError(InputError::Kind::content, fmt::format("the id \"{}\" is taken", id),
                       fmt::format("another id than that of {}", files.shown_path(it->second)),
                       {files.shown_path(path), "/id", 0});
    }
    if (files.from_overlay(path)) it->second = path;
  }
  return out;
}

}  // namespace

SystemCatalog::SystemCatalog(const DataFiles& files) : sources_(files) {
  for (const auto& [id, path] : files_by_id(files, "chips"))
    chips_.emplace(id, read_chip(files.text(path), files.shown_path(path), sources_));
  const auto chip_of = [this](const std::string& id) {
    const auto it = chips_.find(id);
    return it == chips_.end() ? nullptr : &it->second;
  };
  for (const auto& [id, path] : files_by_id(files, "systems")) {
    const std::string file = files.shown_path(path);
    const auto [it, fresh] = systems_.emplace(id, read_system(files.text(path), file, sources_, chip_of));
    add_names(it->second, file);
  }
}

void SystemCatalog::add_names(const System& system, const std::string& file) {
  const auto add = [&](const std::string& name, const std::string& pointer) {
    const auto [it, fresh] = by_name_.emplace(folded(name), &system);
    if (!fresh) {
      throw InputError(InputError::Kind::content,
                       fmt::format("the name \"{}\" already means {}", name, it->second->id),
                       "a name of its own", {file, pointer, 0});
    }
  };
  add(system.id, "/id");
  for (std::size_t i = 0; i < system.aliases.size(); ++i)
    add(system.aliases[i], fmt::format("/aliases/{}", i));
}

const System* SystemCatalog::find_if(std::string_view name) const {
  const auto it = by_name_.find(folded(name));
  return it == by_name_.end() ? nullptr : it->second;
}

const System& SystemCatalog::find(std::string_view name) const {
  if (const System* system = find_if(name)) return *system;
  if (name == "this") {
    throw InputError(InputError::Kind::missing, "there is no calibration file of this machine",
                     "the file that `roofplan calibrate --out FILE` writes, given as --calibration FILE");
  }
  std::vector<std::string> names = ids();
  for (const auto& [id, system] : systems_)
    names.insert(names.end(), system.aliases.begin(), system.aliases.end());
  throw InputError(InputError::Kind::usage, fmt::format("unknown system \"{}\"", name),
                   fmt::format("one of: {}", fmt::join(ids(), ", ")), {}, nearest_names(name, names));
}

const System* SystemCatalog::recognise(std::string_view text) const {
  if (text.find(" + ") != std::string_view::npos) return nullptr;
  if (const System* whole = find_if(text)) return whole;
  if (const System* first = find_if(text.substr(0, text.find(" / ")))) return first;
  const std::vector<std::string> parts = words(text);
  for (std::size_t length = parts.size(); length >= 2; --length) {
    for (std::size_t start = 0; start + length <= parts.size(); ++start) {
      std::string run;
      for (std::size_t i = 0; i < length; ++i) run += parts[start + i];
      if (const System* system = find_if(run)) return system;
    }
  }
  return nullptr;
}

std::vector<std::string> SystemCatalog::ids() const {
  std::vector<std::string> out;
  for (const auto& [id, system] : systems_) out.push_back(id);
  std::stable_sort(out.begin(), out.end(), [this](const std::string& a, const std::string& b) {
    return systems_.at(a).system_class < systems_.at(b).system_class;
  });
  return out;
}

}  // namespace roofplan::model
