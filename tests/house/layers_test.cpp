#include "tests/places.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

struct Include {
  std::string file;  ///< from the repository root
  std::string target;
};

std::vector<fs::path> sources_below(const std::string& folder) {
  const fs::path root = fs::path(roofplan::test::source_root()) / folder;
  std::vector<fs::path> out;
  if (!fs::exists(root)) return out;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    const std::string suffix = entry.path().extension().string();
    if (suffix == ".cpp" || suffix == ".hpp" || suffix == ".cu") out.push_back(entry.path());
  }
  return out;
}

std::vector<Include> includes_below(const std::string& folder) {
  static const std::regex kInclude("^#include [\"<]([^\">]+)[\">].*");
  std::vector<Include> out;
  for (const fs::path& path : sources_below(folder)) {
    std::ifstream in(path);
    std::smatch match;
    for (std::string line; std::getline(in, line);) {
      if (!line.starts_with("#include") || !std::regex_match(line, match, kInclude)) continue;
      out.push_back({fs::relative(path, roofplan::test::source_root()).generic_string(), match[1]});
    }
  }
  return out;
}

bool below(const std::string& path, const std::string& folder) {
  return path.starts_with(folder + "/");
}

/// Files below `folder` that include something for which `refused` holds.
template <class F>
std::vector<std::string> offenders(const std::string& folder, F&& refused) {
  std::vector<std::string> out;
  for (const Include& include : includes_below(folder)) {
    if (refused(include)) out.push_back(include.file + " includes " + include.target);
  }
  return out;
}

using Strings = std::vector<std::string>;

}  // namespace

TEST_CASE("arrows point from cli and gui to sim to model and never back", "[house]") {
  CHECK(includes_below("model").size() > 50);
  CHECK(offenders("model", [](const Include& i) {
          return below(i.target, "sim") || below(i.target, "cli") || below(i.target, "gui");
        }) == Strings{});
  CHECK(offenders("sim", [](const Include& i) { return below(i.target, "cli") || below(i.target, "gui"); }) ==
        Strings{});
  CHECK(offenders("cli", [](const Include& i) { return below(i.target, "gui"); }) == Strings{});
  CHECK(offenders("gui", [](const Include& i) { return below(i.target, "cli"); }) == Strings{});
}

TEST_CASE("each foreign library is met in its own place only", "[house]") {
  for (const char* folder : {"model", "sim", "cli"}) {
    CHECK(offenders(folder, [](const Include& i) {
            return std::regex_match(i.target, std::regex("Q[A-Z].*|Qt.*/.*"));
          }) == Strings{});
  }
  CHECK(offenders("model", [](const Include& i) { return below(i.target, "CLI"); }) == Strings{});
  CHECK(offenders("cli", [](const Include& i) {
          return below(i.target, "CLI") && i.file != "cli/parser.cpp" && i.file != "cli/main.cpp";
        }) == Strings{});
  for (const char* folder : {"model", "sim", "cli", "gui"}) {
    CHECK(offenders(folder, [](const Include& i) {
            return below(i.target, "nlohmann") && i.file != "model/json/json.hpp";
          }) == Strings{});
    CHECK(offenders(folder, [](const Include& i) {
            return i.file.ends_with(".hpp") && i.file != "model/json/json.hpp" &&
                   (i.target == "model/json/json.hpp" || below(i.target, "Eigen"));
          }) == Strings{});
    CHECK(offenders(folder, [](const Include& i) {
            return i.target.starts_with("cuda") && !below(i.file, "model/probe");
          }) == Strings{});
  }
}

TEST_CASE("the folders of model depend on each other without a circle", "[house]") {
  std::map<std::string, std::set<std::string>> uses;
  const auto folder_of = [](const std::string& path) {
    const std::size_t slash = path.find('/', 6);
    return path.substr(6, slash - 6);
  };
  for (const Include& include : includes_below("model")) {
    if (!below(include.target, "model")) continue;
    const std::string from = folder_of(include.file), to = folder_of(include.target);
    if (from != to) uses[from].insert(to);
  }
  // Take away folders that use nothing any more; a circle stays behind.
  for (bool changed = true; changed;) {
    changed = false;
    for (auto it = uses.begin(); it != uses.end();) {
      std::erase_if(it->second, [&](const std::string& to) { return !uses.contains(to); });
      if (it->second.empty()) {
        it = uses.erase(it);
        changed = true;
      } else {
        ++it;
      }
    }
  }
  Strings circle;
  for (const auto& [from, to] : uses) {
    for (const std::string& t : to) circle.push_back(from + " -> " + t);
  }
  CHECK(circle == Strings{});
}

TEST_CASE("no source file is longer than 400 lines", "[house]") {
  Strings long_files;
  for (const char* folder : {"model", "sim", "cli", "gui", "tests"}) {
    for (const fs::path& path : sources_below(folder)) {
      std::ifstream in(path);
      const auto lines = std::count(std::istreambuf_iterator<char>(in), {}, '\n');
      if (lines > 400) long_files.push_back(path.string() + ": " + std::to_string(lines));
    }
  }
  CHECK(long_files == Strings{});
}
