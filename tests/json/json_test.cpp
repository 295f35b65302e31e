#include "model/json/json.hpp"

#include <catch2/catch.hpp>

#include <filesystem>

using namespace roofplan::model;

TEST_CASE("a duplicate key is refused, not silently overwritten", "[json]") {
  CHECK_THROWS_WITH(parse_json(R"({"a":1,"a":2})", "f.json"),
                    Catch::Contains("f.json") && Catch::Contains("twice"));
}

TEST_CASE("malformed text is told with file and line", "[json]") {
  CHECK_THROWS_WITH(parse_json("{\n\"a\": 1,\n oops}", "f.json"), Catch::Contains("f.json:line 3"));
  CHECK_THROWS_AS(parse_json("", "f.json"), InputError);
  CHECK_THROWS_AS(parse_json("{} {}", "f.json"), InputError);
  CHECK_THROWS_AS(parse_json("1e999", "f.json"), InputError);
  CHECK_THROWS_AS(parse_json(std::string(100'000, '['), "f.json"), InputError);
}

TEST_CASE("a bare Infinity is null where asked for, and text stays untouched", "[json]") {
  const JsonLimits python{.bare_infinity = true};
  const Json v =
      parse_json(R"({"limit":[0.0, Infinity],"low":-Infinity,"x":NaN,"name":"Infinity"})", "c.json", python);
  CHECK(v["limit"][1].is_null());
  CHECK(v["low"].is_null());
  CHECK(v["x"].is_null());
  CHECK(v["name"] == "Infinity");
  CHECK_THROWS_AS(parse_json(R"({"a": Infinity})", "c.json"), InputError);
}

TEST_CASE("a reader refuses unknown keys with the nearest known one", "[json]") {
  const Json v = parse_json(R"({"system":{"cout":2}})", "s.json");
  const JsonReader root(v, "s.json");
  const JsonReader system = root.at("system");
  CHECK_FALSE(system.has("count"));
  CHECK_THROWS_WITH(system.finish(), Catch::Contains("/system") && Catch::Contains("did you mean count"));
}

TEST_CASE("a reader checks type and range and names the pointer", "[json]") {
  const Json v = parse_json(
      R"({"n":8.0,"x":1.5,"big":18446744073709551615,"list":[1,{"a/b":"t"}],"w":"40 kW"})", "f.json");
  const JsonReader root(v, "f.json");
  CHECK(root.at("n").as_integer() == 8);
  CHECK_THROWS_WITH(root.at("x").as_integer(), Catch::Contains("/x"));
  CHECK_THROWS_AS(root.at("big").as_integer(), InputError);
  CHECK_THROWS_AS(root.at("n").as_integer(9, 10), InputError);
  CHECK(root.at("list").elements()[1].at("a/b").pointer() == "/list/1/a~1b");
  CHECK(root.at("w").as_quantity<Watts>("W") / unit::kW == Approx(40));
  CHECK_THROWS_AS(root.at("w").as_number(), InputError);
  CHECK_THROWS_WITH(root.at("missing"), Catch::Contains("missing"));
}

TEST_CASE("a file that is not there is a missing file, not bad content", "[json]") {
  try {
    read_text_file("/nonexistent/x.json");
    FAIL("no error");
  } catch (const InputError& e) {
    CHECK(e.kind() == InputError::Kind::missing);
  }
}

TEST_CASE("a written file appears whole, and no temporary file stays", "[json]") {
  const auto folder = std::filesystem::temp_directory_path() / "roofplan_json_test";
  std::filesystem::create_directories(folder);
  const std::string path = (folder / "a.json").string();
  write_text_file(path, "{}");
  CHECK(read_text_file(path) == "{}");
  CHECK_THROWS_AS(read_text_file(path, 1), InputError);
  CHECK_THROWS_AS(write_text_file((folder / "no" / "b.json").string(), "{}"), InputError);
  CHECK(std::distance(std::filesystem::directory_iterator(folder), {}) == 1);
  std::filesystem::remove_all(folder);
}
