#include "model/acceptance/log_line.hpp"

#include <algorithm>
#include <cctype>

namespace roofplan::model {
namespace {

constexpr char kEscape = '\x1b';

bool is_control(char c) {
  return (static_cast<unsigned char>(c) < 0x20) || c == '\x7f';
}

/// Where the escape sequence that starts at `at` ends: the index behind its last character.
std::size_t escape_end(std::string_view text, std::size_t at) {
  std::size_t i = at + 1;
  if (i >= text.size()) return i;
  if (text[i] == '[') {
    for (++i; i < text.size(); ++i) {
      if (text[i] >= '@' && text[i] <= '~') return i + 1;
    }
    return i;
  }
  if (text[i] == ']') {
    for (++i; i < text.size(); ++i) {
      if (text[i] == '\a') return i + 1;
      if (text[i] == kEscape) return std::min(i + 2, text.size());
    }
    return i;
  }
  return i + 1;
}

/// Bytes of the UTF-8 character that starts at `at`; 0 where none does.
std::size_t character_length(std::string_view text, std::size_t at) {
  const auto lead = static_cast<unsigned char>(text[at]);
  const std::size_t length = lead < 0x80   ? 1
                             : lead < 0xc2 ? 0
                             : lead < 0xe0 ? 2
                             : lead < 0xf0 ? 3
                             : lead < 0xf5 ? 4
                                           : 0;
  if (at + length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((static_cast<unsigned char>(text[at + i]) & 0xc0) != 0x80) return 0;
  return length;
}

}  // namespace

bool is_garbled(std::string_view bytes) {
  constexpr std::size_t kLeast = 4, kShare = 10;
  constexpr std::string_view kOfTerminals = "\a\b\t\v\f\x1b";
  std::size_t odd = 0, empty = 0;
  for (std::size_t i = 0; i < bytes.size();) {
    const std::size_t length = character_length(bytes, i);
    if (bytes[i] == '\0') {
      ++empty;
    } else if (length == 0 ||
               (is_control(bytes[i]) && kOfTerminals.find(bytes[i]) == std::string_view::npos)) {
      ++odd;
    }
    i += std::max<std::size_t>(length, 1);
  }
  if (empty > bytes.size() / 2 + 1) odd += empty;
  return odd >= kLeast && odd * kShare >= bytes.size();
}

std::string_view without_controls(std::string_view text, std::string& buffer) {
  if (std::none_of(text.begin(), text.end(), is_control)) return text;
  buffer.clear();
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] == kEscape) {
      i = escape_end(text, i);
      continue;
    }
    if (text[i] == '\t') {
      buffer.push_back(' ');
    } else if (!is_control(text[i])) {
      buffer.push_back(text[i]);
    }
    ++i;
  }
  return buffer;
}

void LineSplitter::feed(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::size_t end = bytes.find_first_of("\r\n");
    const std::string_view part = bytes.substr(0, end);
    const std::size_t room = most_ - line_.size();
    if (part.size() > room) cut_ = true;
    line_.append(part.substr(0, room));
    if (!part.empty()) after_return_ = false;
    if (end == std::string_view::npos) return;
    const bool feed = bytes[end] == '\n';
    if (!(feed && after_return_ && line_.empty())) end_line(number_ + 1);
    if (feed) ++number_;
    after_return_ = !feed;
    bytes.remove_prefix(end + 1);
  }
}

void LineSplitter::end_line(long number, bool may_go_on) {
  take_({without_controls(line_, clean_), number, cut_, is_garbled(line_), may_go_on});
  line_.clear();
  cut_ = false;
}

void LineSplitter::finish() {
  const std::string_view text = without_controls(line_, clean_);
  if (text.empty() && !is_garbled(line_)) return;
  const bool digit =
      !text.empty() && (std::isdigit(static_cast<unsigned char>(text.back())) != 0 || text.back() == '.');
  end_line(++number_, digit);
}

}  // namespace roofplan::model
