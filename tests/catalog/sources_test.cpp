#include "model/calibration/csv_table.hpp"
#include "model/json/json.hpp"
#include "tests/catalog/shipped_systems.hpp"
#include "tests/places.hpp"

#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <sstream>

using namespace roofplan::model;
namespace fs = std::filesystem;

namespace {

/// The paths of data/ that hold JSON, but for sentences, whose keys are names of their own.
std::vector<std::string> json_paths(const DataFiles& files) {
  std::vector<std::string> out;
  for (const std::string& path : files.paths()) {
    if (path.ends_with(".json") && !path.starts_with("text/")) out.push_back(path);
  }
  return out;
}

/// Calls `visit(source, pointer)` for every value of a key "source", "..._source" or "sources" below `value`.
template <class Visit>
void each_source(const Json& value, const std::string& pointer, const Visit& visit) {
  if (value.is_object()) {
    for (const auto& [key, member] : value.items()) {
      if ((key == "source" || key.ends_with("_source")) && member.is_string())
        visit(member.template get<std::string>(), pointer);
      if (key == "sources" && member.is_array())
        for (const auto& id : member)
          if (id.is_string()) visit(id.template get<std::string>(), pointer);
      each_source(member, pointer + "/" + key, visit);
    }
  } else if (value.is_array()) {
    for (std::size_t i = 0; i < value.size(); ++i)
      each_source(value[i], pointer + "/" + std::to_string(i), visit);
  }
}

std::string text_of_code() {
  std::ostringstream out;
  for (const char* folder : {"model", "sim", "cli"}) {
    const fs::path root = fs::path(roofplan::test::source_root()) / folder;
    if (!fs::exists(root)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(root)) {
      if (entry.path().extension() == ".cpp" || entry.path().extension() == ".hpp")
        out << std::ifstream(entry.path()).rdbuf();
    }
  }
  return out.str();
}

}  // namespace

TEST_CASE("Every source named in data/ has an entry in data/sources.json", "[catalog]") {
  const DataFiles files;
  const Sources sources(files);
  for (const std::string& path : json_paths(files)) {
    each_source(parse_json(files.text(path), path), "", [&](const std::string& id, const std::string& at) {
      INFO(path << at << " names " << id);
      CHECK(sources.contains(id));
    });
  }
}

TEST_CASE("Every point of data/measured has a source that data/sources.json knows", "[catalog]") {
  const DataFiles files;
  const Sources sources(files);
  REQUIRE_FALSE(files.in_folder("measured").empty());
  for (const std::string& path : files.in_folder("measured")) {
    const CsvTable table = CsvTable::parse(files.text(path), path);
    for (std::size_t row = 0; row < table.size(); ++row) {
      INFO(path << " line " << table.line(row));
      CHECK(sources.contains(table.text(row, table.column("source"))));
    }
  }
}

TEST_CASE("Every entry of data/sources.json is named by data or code", "[catalog]") {
  const DataFiles files;
  std::set<std::string> named;
  for (const std::string& path : json_paths(files)) {
    each_source(parse_json(files.text(path), path), "",
                [&](const std::string& id, const std::string&) { named.insert(id); });
  }
  const std::string code = text_of_code();
  for (const std::string& id : Sources(files).ids()) {
    INFO(id);
    CHECK((named.contains(id) || code.find(id) != std::string::npos));
  }
}

TEST_CASE("A source says where it was read: an address, a repository, or why neither is known", "[catalog]") {
  const Sources sources{DataFiles()};
  for (const std::string& id : sources.ids()) {
    INFO(id);
    const Source& source = sources.at(id);
    CHECK(source.date_read.size() == 10);
    if (!source.repo.empty()) CHECK(!source.path.empty());
    if (!source.url.empty()) CHECK(source.url.starts_with("http"));
  }
}

TEST_CASE("An unknown source is refused with the nearest ids", "[catalog]") {
  const Sources sources{DataFiles()};
  try {
    sources.at("nvidia-dgx-b300-user-guid");
    FAIL("accepted an unknown source");
  } catch (const InputError& e) {
    CHECK(e.nearest().at(0) == "nvidia-dgx-b300-user-guide");
  }
}
