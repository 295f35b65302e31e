#include "model/acceptance/line_origin.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace roofplan::model {
namespace {

bool digit(char c) {
  return c >= '0' && c <= '9';
}

bool name_char(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_' || c == '.';
}

std::size_t run_of(std::string_view text, std::size_t from, bool (*of)(char)) {
  std::size_t n = 0;
  while (from + n < text.size() && of(text[from + n])) ++n;
  return n;
}

std::string_view trim_left(std::string_view text) {
  const std::size_t at = text.find_first_not_of(' ');
  return at == std::string_view::npos ? std::string_view{} : text.substr(at);
}

/// Words in front of a colon that are no host.
bool is_no_host(std::string_view word) {
  static constexpr std::array<std::string_view, 20> kWords{
      "NOTE",  "Note",   "GID",   "WARNING", "Warning", "ERROR",  "Error", "INFO", "Info",      "DEBUG",
      "Debug", "Waived", "error", "warning", "NVRM",    "kernel", "build", "GPU",  "timestamp", "ETA"};
  return std::find(kWords.begin(), kWords.end(), word) != kWords.end();
}

/// hh:mm:ss at `at`, with a fraction, a zone or neither; its length, or 0.
std::size_t clock_length(std::string_view text, std::size_t at) {
  if (text.size() < at + 8) return 0;
  for (std::size_t i = 0; i < 8; ++i) {
    if (i % 3 == 2 ? text[at + i] != ':' : !digit(text[at + i])) return 0;
  }
  std::size_t n = 8;
  while (at + n < text.size() && (digit(text[at + n]) || text[at + n] == '.' || text[at + n] == ',' ||
                                  text[at + n] == 'Z' || text[at + n] == '+' || text[at + n] == ':'))
    ++n;
  return n;
}

/// "2026-11-30T07:48:16.123Z", with a blank or slashes too; its length, or 0.
std::size_t iso_length(std::string_view text) {
  if (text.size() < 19 || run_of(text, 0, digit) != 4 || (text[4] != '-' && text[4] != '/')) return 0;
  if (text[7] != text[4] || (text[10] != 'T' && text[10] != ' ')) return 0;
  const std::size_t n = clock_length(text, 11);
  return n == 0 ? 0 : 11 + n;
}

/// "[...] " whose inside is a time stamp or a launcher's mark. Moves `o` behind it.
bool take_bracket(LineOrigin& o) {
  const std::size_t close = o.text.substr(0, 200).find(']');
  if (close == std::string_view::npos || close < 2) return false;
  const std::string_view inside = trim_left(o.text.substr(1, close - 1));
  std::string_view rest = o.text.substr(close + 1);
  for (const std::string_view stream : {"<stdout>:", "<stderr>:", "<stddiag>:"}) {
    if (!rest.starts_with(stream)) continue;
    o.rank = inside.substr(inside.find_last_of(",@") + 1);
    rest.remove_prefix(stream.size());
    o.text = rest.starts_with(' ') && inside.find('@') != std::string_view::npos ? rest.substr(1) : rest;
    return true;
  }
  if (inside.starts_with("rank") && rest.starts_with(":")) {
    o.rank = inside.substr(4);
    o.text = rest.substr(rest.starts_with(": ") ? 2 : 1);
    return true;
  }
  if (!rest.starts_with(' ')) return false;
  const bool number = run_of(inside, 0, digit) == inside.size();
  const bool since_boot = inside.find('.') != std::string_view::npos &&
                          inside.find_first_not_of("0123456789.") == std::string_view::npos;
  const bool pod = inside.starts_with("pod/");
  if (!number && !since_boot && !pod && iso_length(inside) == 0) return false;
  if (number) o.rank = inside;
  if (pod) o.host = inside.substr(4, inside.find('/', 4) - 4);
  o.text = rest.substr(1);
  return true;
}

/// "Mon dd hh:mm:ss host process[pid]: ".
bool take_syslog(LineOrigin& o) {
  const std::string_view text = o.text;
  if (text.size() < 20 ||
      run_of(text, 0, [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }) != 3)
    return false;
  if (text[3] != ' ' || clock_length(text, 7) == 0) return false;
  const std::size_t host = 7 + clock_length(text, 7) + 1;
  const std::size_t n = run_of(text, host, name_char);
  const std::size_t colon = text.find(": ", host);
  if (n == 0 || colon == std::string_view::npos || colon > host + 100) return false;
  o.host = text.substr(host, n);
  o.text = text.substr(colon + 2);
  return true;
}

bool take_label(LineOrigin& o) {
  const std::string_view text = trim_left(o.text);
  const std::size_t n = run_of(text, 0, digit);
  if (n == 0 || n > 6 || text.size() < n + 1 || text[n] != ':') return false;
  if (text.size() > n + 1 && text[n + 1] != ' ') return false;
  o.rank = text.substr(0, n);
  o.text = text.substr(std::min(n + 2, text.size()));
  return true;
}

bool take_host(LineOrigin& o) {
  const std::size_t n = run_of(o.text, 0, name_char);
  if (n < 2 || n > 128 || !std::isalnum(static_cast<unsigned char>(o.text.front()))) return false;
  const std::string_view name = o.text.substr(0, n);
  std::string_view rest = o.text.substr(n);
  if (rest.starts_with(": ") || rest == ":") {
    if (run_of(name, 0, digit) == n || is_no_host(name)) return false;
    rest.remove_prefix(std::min<std::size_t>(2, rest.size()));
  } else {
    const std::string_view bar = trim_left(rest);
    if (bar.size() == rest.size() || !bar.starts_with("| ")) return false;
    rest = bar.substr(2);
  }
  o.host = name;
  o.text = rest;
  return true;
}

bool take_one(LineOrigin& o) {
  if (o.text.empty()) return false;
  const char first = o.text.front();
  if (first == '#' || first == '|' || first == '{' || first == '"') return false;
  if (first == '[') return take_bracket(o);
  if (const std::size_t n = iso_length(o.text); n > 0 && o.text.substr(n).starts_with(' ')) {
    o.text.remove_prefix(n + 1);
    return true;
  }
  if (o.rank.empty() && take_label(o)) return true;
  return o.host.empty() && (take_syslog(o) || take_host(o));
}

}  // namespace

LineOrigin split_origin(std::string_view line) {
  LineOrigin origin{{}, {}, line};
  for (int marks = 0; marks < 3 && take_one(origin); ++marks) {
  }
  return origin;
}

std::string_view heading_host(std::string_view line) {
  if (line.starts_with("==> ") && line.ends_with(" <==") && line.size() > 8) {
    const std::string_view file = line.substr(4, line.size() - 8);
    return file.substr(file.find_last_of('/') + 1);
  }
  const std::size_t n = run_of(line, 0, name_char);
  if (n == 0) return {};
  const std::string_view rest = line.substr(n);
  for (const std::string_view state : {" | CHANGED", " | SUCCESS", " | FAILED", " | UNREACHABLE"}) {
    if (rest.starts_with(state)) return line.substr(0, n);
  }
  return {};
}

}  // namespace roofplan::model
