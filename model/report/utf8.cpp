#include "model/report/utf8.hpp"

#include <array>
#include <cstdint>
#include <utility>

namespace roofplan::model::report {
namespace {

struct CodePoint {
  std::uint32_t value = 0;
  std::size_t bytes = 0;  ///< 0 for a malformed byte
};

/// The first code point, as RFC 3629 has it: shortest form, no surrogates, at most U+10FFFF.
CodePoint first_code_point(std::string_view text) {
  const auto byte = [&](std::size_t i) {
    return static_cast<std::uint32_t>(static_cast<unsigned char>(text[i]));
  };
  const std::uint32_t lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < length) return {};
  std::uint32_t value = lead & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80) return {};
    value = (value << 6U) | (byte(i) & 0x3FU);
  }
  constexpr std::array<std::uint32_t, 5> kSmallest{0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = value >= 0xD800 && value <= 0xDFFF;
  if (value < kSmallest[length] || value > 0x10FFFF || surrogate) return {};
  return {value, length};
}

/// East Asian Wide and Fullwidth blocks (Unicode Standard Annex 11) that sentences and names use.
bool is_wide(std::uint32_t c) {
  constexpr std::array<std::pair<std::uint32_t, std::uint32_t>, 9> kRanges{{{0x1100, 0x115F},
                                                                            {0x2E80, 0x303E},
                                                                            {0x3041, 0x33FF},
                                                                            {0x3400, 0x4DBF},
                                                                            {0x4E00, 0x9FFF},
                                                                            {0xAC00, 0xD7A3},
                                                                            {0xF900, 0xFAFF},
                                                                            {0xFF00, 0xFF60},
                                                                            {0x1F300, 0x1FAFF}}};
  for (const auto& [low, high] : kRanges) {
    if (c >= low && c <= high) return true;
  }
  return false;
}

bool is_combining(std::uint32_t c) {
  return (c >= 0x0300 && c <= 0x036F) || (c >= 0x200B && c <= 0x200F) || c == 0xFEFF;
}

int width_of(const CodePoint& c) {
  if (c.bytes == 0) return 1;
  if (is_combining(c.value)) return 0;
  return is_wide(c.value) ? 2 : 1;
}

}  // namespace

std::string valid_utf8(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const CodePoint c = first_code_point(text);
    const std::size_t bytes = c.bytes == 0 ? 1 : c.bytes;
    out += c.bytes == 0 ? std::string_view("\xEF\xBF\xBD") : text.substr(0, bytes);
    text.remove_prefix(bytes);
  }
  return out;
}

int display_width(std::string_view text) {
  int width = 0;
  while (!text.empty()) {
    const CodePoint c = first_code_point(text);
    width += width_of(c);
    text.remove_prefix(c.bytes == 0 ? 1 : c.bytes);
  }
  return width;
}

std::vector<std::string> wrapped(std::string_view text, int width) {
  std::vector<std::string> lines;
  std::string line;
  while (!text.empty()) {
    const std::size_t space = text.find(' ');
    const std::string_view word = text.substr(0, space);
    if (!line.empty() && width > 0 && display_width(line) + 1 + display_width(word) > width) {
      lines.push_back(std::move(line));
      line.clear();
    }
    if (!line.empty()) line += ' ';
    line += word;
    text.remove_prefix(space == std::string_view::npos ? text.size() : space + 1);
  }
  lines.push_back(std::move(line));
  return lines;
}

std::string clipped(std::string_view text, int width) {
  if (display_width(text) <= width) return std::string(text);
  std::string out;
  int used = 0;
  while (!text.empty()) {
    const CodePoint c = first_code_point(text);
    if (used + width_of(c) > width - 1) break;
    used += width_of(c);
    const std::size_t bytes = c.bytes == 0 ? 1 : c.bytes;
    out += text.substr(0, bytes);
    text.remove_prefix(bytes);
  }
  return out + "…";
}

}  // namespace roofplan::model::report
