#include "model/units/error.hpp"

#include <catch2/catch.hpp>

using namespace roofplan::model;

TEST_CASE("an error tells place, fault, expectation and the nearest choice", "[units]") {
  const InputError e(InputError::Kind::content, "unknown key \"cout\"", "one of: count, gpus",
                     {"lab.json", "/system", 0}, {"count"});
  CHECK(std::string(e.what()) ==
        "lab.json: /system: unknown key \"cout\"; expected one of: count, gpus; did you mean count?");
}

TEST_CASE("locating an error fills only what is empty", "[units]") {
  const InputError e(InputError::Kind::usage, "bad", {}, {"", "/a", 0});
  const InputError located = e.at({"f.json", "/b", 3});
  CHECK(located.where().file == "f.json");
  CHECK(located.where().pointer == "/a");
  CHECK(located.where().line == 3);
}

TEST_CASE("the nearest names come first and strangers not at all", "[units]") {
  const std::vector<std::string> names{"llama-3.1-70b", "llama-3.1-8b", "qwen3-8b", "dbrx"};
  CHECK(nearest_names("llama-3.1-7b", names).front() == "llama-3.1-70b");
  CHECK(nearest_names("zzzzzz", names).empty());
  CHECK(nearest_names("LLAMA-3.1-70B", names).front() == "llama-3.1-70b");
  CHECK(nearest_names(std::string(100'000, 'a'), names).empty());
}

TEST_CASE("a name far from all brings those of its family, nearest first", "[units]") {
  const std::vector<std::string> names{"llama-3.1-70b", "llama-3-8b", "lama", "qwen3-8b", "glm-4.5"};
  CHECK(nearest_names("llama-9", names) == std::vector<std::string>{"llama-3-8b", "llama-3.1-70b"});
  CHECK(nearest_names("qwen-nineteen", names).empty());  // "qwen" is less than half of the word
  CHECK(nearest_names("glm-999", names) == std::vector<std::string>{"glm-4.5"});
  CHECK(nearest_names("glx-999", names).empty());  // "gl" begins too many names to mean one
}
