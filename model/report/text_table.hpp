#pragma once

#include "model/units/text.hpp"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace roofplan::model::report {

/// The sentences of one language, from data/text/<language>.json: an object of key to text, or to
/// {"one", "other"} where the wording depends on the argument "count". Arguments stand in braces: "{amount}".
class TextTable {
 public:
  struct Forms {
    std::string one, other;  ///< equal where the entry is one text
  };

  /// Reads a document. Throws InputError (content) for malformed entries and unbalanced braces.
  TextTable(std::string_view json, const std::string& file);
  /// The table compiled into the program. Throws InputError (usage) for an unknown language.
  static const TextTable& of_language(std::string_view language);

  /// The sentence, with its arguments put in. A key that is missing shows as itself with its arguments, so
  /// that nothing is lost; the tests see to it that none is.
  std::string of(const Text& text) const;
  std::string of(std::string_view key) const { return of(Text(std::string(key))); }

  bool has(std::string_view key) const { return entries_.contains(key); }
  const std::map<std::string, Forms, std::less<>>& entries() const { return entries_; }

 private:
  std::map<std::string, Forms, std::less<>> entries_;
};

/// The languages that have a table: "en" first.
const std::vector<std::string>& languages();

/// The names in braces of a text, sorted, each once.
std::vector<std::string> argument_names(std::string_view pattern);

}  // namespace roofplan::model::report
