#pragma once

#include "model/units/unit_text.hpp"

#include <concepts>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace roofplan::model {

/// A sentence for people that is not yet in a language: a key of data/text/{en,ko}.json and its arguments.
/// Whoever computes a warning or a reason makes one of these; a writer looks it up.
///
///     Text{"fit.deficit", {{"amount", deficit}, {"devices", 8}}}
///
/// An argument is a text put in as it is (an identifier, a number with its unit), a count, or another Text. A
/// count named "count" selects between the forms {"one", "other"} of the entry.
struct Text {
  struct Argument {
    std::string name;
    std::variant<std::string, std::int64_t, std::vector<Text>> value;  ///< the vector holds one nested Text

    Argument(std::string n, std::string text) : name(std::move(n)), value(std::move(text)) {}
    Argument(std::string n, std::string_view text) : name(std::move(n)), value(std::string(text)) {}
    Argument(std::string n, const char* text) : name(std::move(n)), value(std::string(text)) {}
    template <std::integral I>
    Argument(std::string n, I count) : name(std::move(n)), value(static_cast<std::int64_t>(count)) {}
    Argument(std::string n, ByteCount bytes) : name(std::move(n)), value(to_text(bytes)) {}
    Argument(std::string n, Text nested);
    bool operator==(const Argument&) const = default;
  };

  Text() = default;
  explicit Text(std::string k, std::vector<Argument> a = {}) : key(std::move(k)), args(std::move(a)) {}

  std::string key;
  std::vector<Argument> args;

  bool empty() const { return key.empty(); }
  bool operator==(const Text& other) const { return key == other.key && args == other.args; }
};

inline Text::Argument::Argument(std::string n, Text nested)
    : name(std::move(n)), value(std::vector<Text>{std::move(nested)}) {}

/// A text that is in the data and the same in every language: a reason or note of a data file.
inline Text as_is(std::string text) {
  return Text("text.as_is", {{"text", std::move(text)}});
}

}  // namespace roofplan::model
