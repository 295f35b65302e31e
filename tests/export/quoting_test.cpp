#include "model/export/quoting.hpp"

#include "tests/cli/process.hpp"

#include <catch2/catch.hpp>

using namespace roofplan::model;
using roofplan::test::TemporaryFolder;

namespace {
const std::string kHostile[] = {
    "a b", "it's", "$(touch owned)", "`touch owned`", "a\"b\\c",   "a\nb\t; touch owned",
    "-rf", "",     "*?[x]",          "모델",          "a'b\nc\\d", "#x",
    "~",   "!!",
};
}  // namespace

TEST_CASE("a hostile name reaches a program as it is, and on one line", "[export]") {
  const TemporaryFolder folder;
  for (const std::string& name : kHostile) {
    const std::string word = shell_quote(name);
    CAPTURE(word);
    CHECK(word.find('\n') == std::string::npos);
    folder.write("x.sh", "printf '%s' " + word + " > out\n");
    REQUIRE(roofplan::test::run_shell("bash x.sh", folder.path()).exit_code == 0);
    CHECK(roofplan::test::read_file(folder.path("out")) == name);
  }
  CHECK_FALSE(std::filesystem::exists(folder.path("owned")));
}

TEST_CASE("plain names stay bare", "[export]") {
  CHECK(shell_quote("meta-llama/Llama-3.1-70B") == "meta-llama/Llama-3.1-70B");
  CHECK(shell_quote("it's") == "'it'\\''s'");
}

TEST_CASE("YAML scalars are JSON strings", "[export]") {
  CHECK(yaml_quote("a\"b\\c: #\n") == "\"a\\\"b\\\\c: #\\u000a\"");
}

TEST_CASE("names of objects are labels", "[export]") {
  CHECK(label_name("Llama 3.1 on GB10!") == "llama-3-1-on-gb10");
  CHECK(label_name("연구실") == "roofplan");
  CHECK(label_name(std::string(80, 'a')).size() == 50);
  CHECK(label_name(std::string(49, 'a') + "--b") == std::string(49, 'a'));
}

TEST_CASE("a comment stays a comment", "[export]") {
  CHECK(comment_text("name\nrm -rf x") == "name rm -rf x");
}
