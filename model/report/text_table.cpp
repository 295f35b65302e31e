#include "model/report/text_table.hpp"

#include "model/json/embedded.hpp"
#include "model/json/json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace roofplan::model::report {
namespace {

/// Calls `literal(text)` and `argument(name)` for the parts of a pattern in turn; false for unbalanced
/// braces.
template <class Literal, class Argument>
bool walk(std::string_view pattern, Literal literal, Argument argument) {
  while (!pattern.empty()) {
    const std::size_t open = pattern.find('{');
    const std::string_view before = pattern.substr(0, open);
    if (before.find('}') != std::string_view::npos) return false;
    literal(before);
    if (open == std::string_view::npos) return true;
    const std::size_t close = pattern.find('}', open);
    if (close == std::string_view::npos || close == open + 1) return false;
    argument(pattern.substr(open + 1, close - open - 1));
    pattern.remove_prefix(close + 1);
  }
  return true;
}

std::string checked_pattern(const JsonReader& reader) {
  std::string pattern = reader.as_string();
  const auto nothing = [](std::string_view) {};
  if (!walk(pattern, nothing, nothing)) reader.fail("the braces do not pair up", "arguments as {name}");
  return pattern;
}

const Text::Argument* find_argument(const Text& text, std::string_view name) {
  for (const Text::Argument& argument : text.args) {
    if (argument.name == name) return &argument;
  }
  return nullptr;
}

bool is_one(const Text& text) {
  const Text::Argument* count = find_argument(text, "count");
  const auto* n = count == nullptr ? nullptr : std::get_if<std::int64_t>(&count->value);
  return n != nullptr && *n == 1;
}

std::string shown(const Text::Argument& argument, const TextTable& table) {
  if (const auto* text = std::get_if<std::string>(&argument.value)) return *text;
  if (const auto* count = std::get_if<std::int64_t>(&argument.value)) return grouped(*count);
  return table.of(std::get<std::vector<Text>>(argument.value).front());
}

std::string spelled_out(const Text& text, const TextTable& table) {
  std::string out = text.key;
  for (const Text::Argument& argument : text.args) {
    out += fmt::format(" {}={}", argument.name, shown(argument, table));
  }
  return out;
}

}  // namespace

TextTable::TextTable(std::string_view json, const std::string& file) {
  const Json document = parse_json(json, file);
  for (const auto& [key, entry] : JsonReader(document, file).members()) {
    if (!entry.is_object()) {
      const std::string text = checked_pattern(entry);
      entries_[key] = {text, text};
      continue;
    }
    entries_[key] = {checked_pattern(entry.at("one")), checked_pattern(entry.at("other"))};
    entry.finish();
  }
}

const TextTable& TextTable::of_language(std::string_view language) {
  static const std::map<std::string, TextTable, std::less<>> kTables = [] {
    std::map<std::string, TextTable, std::less<>> tables;
    for (const EmbeddedFile& file : embedded_files()) {
      for (const std::string& name : languages()) {
        if (file.path == "text/" + name + ".json") {
          tables.emplace(name, TextTable(file.text, std::string(file.path)));
        }
      }
    }
    return tables;
  }();
  const auto it = kTables.find(language);
  if (it == kTables.end()) {
    throw InputError(InputError::Kind::usage,
                     fmt::format("there are no texts in the language \"{}\"", language),
                     fmt::format("one of: {}", fmt::join(languages(), ", ")));
  }
  return it->second;
}

std::string TextTable::of(const Text& text) const {
  const auto it = entries_.find(text.key);
  if (it == entries_.end()) return spelled_out(text, *this);
  std::string out;
  walk(
      is_one(text) ? it->second.one : it->second.other, [&](std::string_view literal) { out += literal; },
      [&](std::string_view name) {
        const Text::Argument* argument = find_argument(text, name);
        out += argument != nullptr ? shown(*argument, *this) : fmt::format("{{{}}}", name);
      });
  return out;
}

const std::vector<std::string>& languages() {
  static const std::vector<std::string> kLanguages{"en", "ko"};
  return kLanguages;
}

std::vector<std::string> argument_names(std::string_view pattern) {
  std::set<std::string> names;
  walk(
      pattern, [](std::string_view) {}, [&](std::string_view name) { names.emplace(name); });
  return {names.begin(), names.end()};
}

}  // namespace roofplan::model::report
