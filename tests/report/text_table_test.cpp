#include "model/report/text_table.hpp"

#include "tests/places.hpp"

#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <regex>
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

TEST_CASE("every key that the sources name stands in the tables", "[report]") {
  namespace fs = std::filesystem;
  const TextTable& english = TextTable::of_language("en");
  const std::regex literal(R"re(Text\s*[({]\s*"([a-z0-9_.]+)")re");
  int seen = 0;
  for (const char* folder : {"model", "cli", "sim"}) {
    const fs::path root = fs::path(roofplan::test::source_root()) / folder;
    if (!fs::exists(root)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(root)) {
      if (entry.path().extension() != ".cpp") continue;
      std::stringstream text;
      text << std::ifstream(entry.path()).rdbuf();
      const std::string source = text.str();
      for (std::sregex_iterator it(source.begin(), source.end(), literal), end; it != end; ++it) {
        INFO(entry.path() << ": " << (*it)[1]);
        CHECK(english.has((*it)[1].str()));
        ++seen;
      }
    }
  }
  CHECK(seen > 0);
}
