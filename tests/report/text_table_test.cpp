#include "model/report/text_table.hpp"

#include "model/catalog/catalog.hpp"
#include "model/catalog/field_table.hpp"
#include "tests/places.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

using namespace roofplan::model;
using namespace roofplan::model::report;

TEST_CASE("arguments stand where the text names them", "[report]") {
  const TextTable table(
      R"({"a": "{what} misses {amount}", "n": {"one": "{count} box", "other": "{count} boxes"},
                            "outer": "so: {inner}"})",
      "t.json");
  CHECK(table.of(Text{"a", {{"amount", ByteCount(1LL << 30)}, {"what", "it"}}}) == "it misses 1.0 GiB");
  CHECK(table.of(Text{"n", {{"count", 1}}}) == "1 box");
  CHECK(table.of(Text{"n", {{"count", 1200}}}) == "1,200 boxes");
  CHECK(table.of(Text{"outer", {{"inner", Text{"n", {{"count", 2}}}}}}) == "so: 2 boxes");
  CHECK(table.of(Text{"missing", {{"x", 3}}}) == "missing x=3");
}

TEST_CASE("a text with unpaired braces is refused", "[report]") {
  CHECK_THROWS_AS(TextTable(R"({"a": "{x"})", "t.json"), InputError);
  CHECK_THROWS_AS(TextTable(R"({"a": "x}"})", "t.json"), InputError);
  CHECK_THROWS_AS(TextTable(R"({"a": {"one": "x"}})", "t.json"), InputError);
  CHECK_THROWS_AS(TextTable(R"({"a": {"one": "x", "other": "y", "few": "z"}})", "t.json"), InputError);
}

TEST_CASE("every text stands in every language with the same arguments", "[report]") {
  const TextTable& english = TextTable::of_language("en");
  for (const std::string& language : languages()) {
    const TextTable& other = TextTable::of_language(language);
    for (const auto& [key, forms] : english.entries()) {
      INFO(language << " " << key);
      REQUIRE(other.has(key));
      CHECK(argument_names(other.entries().at(key).other) == argument_names(forms.other));
    }
    for (const auto& [key, forms] : other.entries()) {
      INFO(language << " " << key);
      CHECK(english.has(key));
    }
  }
  CHECK_THROWS_AS(TextTable::of_language("xx"), InputError);
}

namespace {

namespace fs = std::filesystem;

/// What stands in quotes in the sources and looks like a key of the tables ("fit.weights").
std::vector<std::pair<std::string, std::string>> quoted_keys(const TextTable& table) {
  std::set<std::string> prefixes;
  for (const auto& [key, forms] : table.entries()) prefixes.insert(key.substr(0, key.find('.')));
  const std::regex literal(R"re("([a-z]+)\.([a-z0-9_]+)")re");
  std::vector<std::pair<std::string, std::string>> found;
  for (const char* folder : {"model", "cli", "sim"}) {
    const fs::path root = fs::path(roofplan::test::source_root()) / folder;
    if (!fs::exists(root)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(root)) {
      if (entry.path().extension() != ".cpp") continue;
      std::stringstream text;
      text << std::ifstream(entry.path()).rdbuf();
      const std::string source = text.str();
      for (std::sregex_iterator it(source.begin(), source.end(), literal), end; it != end; ++it) {
        if (prefixes.contains((*it)[1].str())) {
          found.emplace_back(entry.path().filename().string(), (*it)[1].str() + "." + (*it)[2].str());
        }
      }
    }
  }
  return found;
}

bool is_scenario_field(const std::string& path) {
  const std::vector<FieldInfo>& fields = scenario_field_table();
  return std::any_of(fields.begin(), fields.end(),
                     [&](const FieldInfo& field) { return field.path == path; });
}

}  // namespace

TEST_CASE("every key that the sources name stands in the tables", "[report]") {
  const TextTable& english = TextTable::of_language("en");
  const auto keys = quoted_keys(english);
  CHECK(keys.size() > 100);
  for (const auto& [file, key] : keys) {
    if (is_scenario_field(key) || key.ends_with(".json") || key.ends_with(".csv")) continue;
    INFO(file << ": " << key);
    // A key that ends in _ is the start of several.
    const auto first = english.entries().lower_bound(key);
    const bool starts = first != english.entries().end() && first->first.starts_with(key);
    CHECK((english.has(key) || (key.ends_with("_") && starts)));
  }
}

TEST_CASE("the name of a price in English is that of the catalogue", "[report]") {
  const TextTable& texts = TextTable::of_language("en");
  std::ptrdiff_t named = 0;
  const Catalog catalog;
  for (const Price& price : catalog.prices().all()) {
    const std::string key = "price." + price.id;
    if (!texts.has(key)) continue;
    ++named;
    CHECK(texts.of(key) == price.name);
  }
  const auto is_price = [](const auto& entry) { return entry.first.starts_with("price."); };
  CHECK(named == std::count_if(texts.entries().begin(), texts.entries().end(), is_price));
}
