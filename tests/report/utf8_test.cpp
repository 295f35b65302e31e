#include "model/report/utf8.hpp"

#include <catch2/catch.hpp>

using namespace roofplan::model::report;

TEST_CASE("a Hangul letter takes two columns, a Latin one takes one", "[report]") {
  CHECK(display_width("GiB") == 3);
  CHECK(display_width("출처") == 4);
  CHECK(display_width("█░") == 2);
}

TEST_CASE("malformed bytes are replaced, well-formed text is kept", "[report]") {
  CHECK(valid_utf8("출처 é") == "출처 é");
  CHECK(valid_utf8("a\xFF"
                   "b") ==
        "a\xEF\xBF\xBD"
        "b");
  CHECK(valid_utf8("\xED\xA0\x80") == "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");  // a surrogate
  CHECK(valid_utf8("\xC0\x80") == "\xEF\xBF\xBD\xEF\xBF\xBD");                  // an overlong zero
  CHECK(valid_utf8("\xE2\x82") == "\xEF\xBF\xBD\xEF\xBF\xBD");                  // cut off
}

TEST_CASE("text wraps at spaces and never loses a word", "[report]") {
  CHECK(wrapped("one two three", 7) == std::vector<std::string>{"one two", "three"});
  CHECK(wrapped("unbreakable", 4) == std::vector<std::string>{"unbreakable"});
  CHECK(wrapped("one two three", 0) == std::vector<std::string>{"one two three"});
}

TEST_CASE("a clipped text keeps its width", "[report]") {
  CHECK(clipped("abcdef", 4) == "abc…");
  CHECK(clipped("abcd", 4) == "abcd");
  CHECK(display_width(clipped("출처출처", 4)) <= 4);
}
