#include "model/llm/hf/module_pattern.hpp"

#include <array>
#include <optional>

namespace roofplan::model::hf {
namespace {

constexpr std::size_t kMostAlternatives = 64;

std::string_view without_prefix(std::string_view entry) {
  static constexpr std::array<std::string_view, 6> kPrefixes = {
      "model.language_model.", "language_model.model.", "language_model.", "model.", "backbone.",
      "transformer."};
  for (const auto prefix : kPrefixes)
    if (entry.substr(0, prefix.size()) == prefix) return entry.substr(prefix.size());
  return entry;
}

/// Appends `tail` to every glob.
void append(std::vector<std::string>& globs, std::string_view tail) {
  for (std::string& glob : globs) glob += tail;
}

/// Multiplies the globs by the alternatives of a group "a|b|c".
bool append_group(std::vector<std::string>& globs, std::string_view group) {
  if (group.find_first_of("().*+?[]{}\\") != std::string_view::npos) return false;
  std::vector<std::string> out;
  while (true) {
    const auto bar = group.find('|');
    for (const std::string& glob : globs) out.push_back(glob + std::string(group.substr(0, bar)));
    if (out.size() > kMostAlternatives) return false;
    if (bar == std::string_view::npos) break;
    group.remove_prefix(bar + 1);
  }
  globs = std::move(out);
  return true;
}

/// One element of a regular expression from the front of `rest`; false when it is not known.
bool take(std::string_view& rest, std::vector<std::string>& globs) {
  const char c = rest.front();
  if (c == '(') {
    const auto close = rest.find(')');
    if (close == std::string_view::npos || !append_group(globs, rest.substr(1, close - 1))) return false;
    rest.remove_prefix(close + 1);
    return rest.empty() || std::string_view("*+?{").find(rest.front()) == std::string_view::npos;
  }
  std::size_t used = 1;
  std::string one(1, c);
  if (c == '\\') {
    if (rest.size() < 2) return false;
    one = rest[1] == 'd' || rest[1] == 'w' ? "?" : std::string(1, rest[1]);
    used = 2;
  } else if (c == '.') {
    one = "?";
  } else if (std::string_view("[]{}+*?|)").find(c) != std::string_view::npos) {
    return false;
  }
  rest.remove_prefix(used);
  if (!rest.empty() && (rest.front() == '*' || rest.front() == '+')) {
    if (one != "?") return false;
    one = "*";
    rest.remove_prefix(1);
  }
  append(globs, one);
  return true;
}

/// A Python regular expression, matched from the front, as globs.
std::optional<std::vector<std::string>> from_regex(std::string_view rest) {
  std::vector<std::string> globs = {""};
  if (!rest.empty() && rest.front() == '^') rest.remove_prefix(1);
  bool anchored = false;
  if (!rest.empty() && rest.back() == '$') {
    anchored = true;
    rest.remove_suffix(1);
  }
  while (!rest.empty())
    if (!take(rest, globs)) return std::nullopt;
  if (!anchored) append(globs, "*");
  return globs;
}

}  // namespace

bool glob_match(std::string_view pattern, std::string_view text) {
  std::size_t p = 0, t = 0, star = std::string_view::npos, from = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      from = t;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p, ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++from;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

ModulePattern::ModulePattern(std::string_view entry) {
  if (entry.substr(0, 3) == "re:") {
    auto globs = from_regex(entry.substr(3));
    understood_ = globs.has_value();
    if (globs) globs_ = std::move(*globs);
    return;
  }
  const std::string plain(without_prefix(entry));
  globs_ = {plain, plain + ".*", "*." + plain, "*." + plain + ".*"};
}

bool ModulePattern::matches(std::string_view module) const {
  for (const std::string& glob : globs_)
    if (glob_match(glob, module)) return true;
  return false;
}

}  // namespace roofplan::model::hf
