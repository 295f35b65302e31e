#include "model/catalog/system_reader.hpp"
#include "model/json/json.hpp"
#include "tests/catalog/shipped_systems.hpp"
#include "tests/places.hpp"

#include <catch2/catch.hpp>

#include <set>

using namespace roofplan::model;

namespace {

Json schema(const std::string& name) {
  const std::string path = roofplan::test::source_root() + "/data/schema/" + name + ".json";
  return parse_json(read_text_file(path), path);
}

bool accepted(const std::string& folder, const Json& document) {
  const SystemCatalog& catalog = shipped_systems();
  try {
    if (folder == "chips") {
      read_chip(document.dump(), "file.json", catalog.sources());
    } else {
      const auto any = [&catalog](const std::string&) { return &catalog.find("dgx-h100").chip; };
      read_system(document.dump(), "file.json", catalog.sources(), any);
    }
    return true;
  } catch (const InputError&) {
    return false;
  }
}

}  // namespace

TEST_CASE("What the schema of chips and systems requires, the loader requires too", "[catalog]") {
  for (const auto& [name, file] :
       {std::pair{"chip", "chips/h100-sxm.json"}, std::pair{"system", "systems/dgx-h100.json"}}) {
    const std::string folder = std::string(name) + "s";
    const Json document = parse_json(DataFiles().text(file), file);
    REQUIRE(accepted(folder, document));
    const Json rules = schema(name);
    std::set<std::string> required;
    for (const Json& key : rules.at("required")) required.insert(key.get<std::string>());
    for (const auto& [key, value] : document.items()) {
      INFO(file << " without " << key);
      Json without = document;
      without.erase(key);
      CHECK(accepted(folder, without) == !required.contains(key));
    }
  }
}

TEST_CASE("Every key of every chip and system is in its schema", "[catalog]") {
  const DataFiles files;
  for (const char* name : {"chip", "system"}) {
    const Json properties = schema(name)["properties"];
    for (const std::string& path : files.in_folder(std::string(name) + "s")) {
      const Json document = parse_json(files.text(path), path);
      for (const auto& [key, value] : document.items()) {
        INFO(path << " " << key);
        CHECK(properties.contains(key));
      }
    }
  }
}

TEST_CASE("Number formats of the schema are those that the loader takes", "[catalog]") {
  const Json formats = schema("chip")["properties"]["dense_rate"]["properties"];
  Json document = parse_json(DataFiles().text("chips/h100-sxm.json"), "chips/h100-sxm.json");
  const Json rate = document["dense_rate"]["fp8"];
  for (const auto& [format, form] : formats.items()) document["dense_rate"][format] = rate;
  CHECK(accepted("chips", document));
  CHECK(formats.size() == 8);
}
