#include "model/export/quoting.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace roofplan::model {
namespace {

constexpr std::size_t kLongestLabel = 50;

bool is_control(char c) {
  return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_lower(char c) {
  return c >= 'a' && c <= 'z';
}

bool is_bare(char c) {
  return is_digit(c) || is_lower(c) || (c >= 'A' && c <= 'Z') ||
         std::string_view("_-./:,@%+").find(c) != std::string_view::npos;
}

/// bash's $'...', in which control characters are octal escapes.
std::string escaped_quote(std::string_view text) {
  std::string out = "$'";
  for (char c : text) {
    if (is_control(c)) {
      out += fmt::format("\\{:03o}", static_cast<unsigned>(c));
    } else if (c == '\'' || c == '\\') {
      out += '\\';
      out += c;
    } else {
      out += c;
    }
  }
  return out + "'";
}

}  // namespace

std::string shell_quote(std::string_view text) {
  if (std::any_of(text.begin(), text.end(), is_control)) return escaped_quote(text);
  if (!text.empty() && std::all_of(text.begin(), text.end(), is_bare)) return std::string(text);
  std::string out = "'";
  for (char c : text) {
    if (c == '\'') {
      out += "'\\''";
    } else {
      out += c;
    }
  }
  return out + "'";
}

std::string yaml_quote(std::string_view text) {
  std::string out = "\"";
  for (char c : text) {
    if (is_control(c)) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      if (c == '"' || c == '\\') out += '\\';
      out += c;
    }
  }
  return out + "\"";
}

std::string comment_text(std::string_view text) {
  std::string out(text);
  std::replace_if(out.begin(), out.end(), is_control, ' ');
  return out;
}

std::string label_name(std::string_view text) {
  std::string out;
  for (char c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    const bool kept = is_digit(c) || is_lower(c);
    if (kept) {
      out += c;
    } else if (!out.empty() && out.back() != '-') {
      out += '-';
    }
    if (out.size() == kLongestLabel) break;
  }
  while (!out.empty() && out.back() == '-') out.pop_back();
  return out.empty() ? "roofplan" : out;
}

}  // namespace roofplan::model
