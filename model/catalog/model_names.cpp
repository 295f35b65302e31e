#include "model/catalog/model_names.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace roofplan::model {
namespace {

bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

bool is_letter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || static_cast<unsigned char>(c) >= 0x80;
}

char lower(char c) {
  return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
}

std::string without_parentheses(std::string_view name) {
  std::string out;
  int depth = 0;
  for (const char c : name) {
    if (c == '(') ++depth;
    if (depth == 0) out += c;
    if (c == ')' && depth > 0) --depth;
  }
  return out;
}

/// Where the last word begins; words are parted by anything but letters, digits and dots.
std::size_t last_word(std::string_view name) {
  std::size_t at = name.size();
  while (at > 0 && (is_letter(name[at - 1]) || name[at - 1] == '.')) --at;
  return at;
}

std::string_view trimmed(std::string_view name) {
  while (!name.empty() && !is_letter(name.back())) name.remove_suffix(1);
  return name;
}

std::string folded_word(std::string_view word) {
  std::string out;
  for (const char c : word) out += lower(c);
  return out;
}

/// Words at the end of a name that leave the shape as it is.
bool is_decoration(const std::string& word) {
  static constexpr std::array<std::string_view, 14> kWords = {
      "instruct", "it",       "chat",    "hf",   "base", "thinking", "qat",
      "lora",     "pretrain", "preview", "gguf", "mlx",  "bf16",     "fp16"};
  return std::find(kWords.begin(), kWords.end(), word) != kWords.end();
}

bool is_format(const std::string& word) {
  static constexpr std::array<std::string_view, 15> kWords = {"fp8",  "nvfp4", "fp4",  "mxfp4", "awq",
                                                              "gptq", "int4",  "int8", "w4a16", "w8a8",
                                                              "nf4",  "4bit",  "8bit", "q4",    "q8"};
  return std::find(kWords.begin(), kWords.end(), word) != kWords.end();
}

}  // namespace

std::string fold_model_name(std::string_view name) {
  std::string out, between;
  for (const char c : name) {
    if (!is_letter(c)) {
      between = c == '.' && between.empty() ? "." : "|";
      continue;
    }
    if (!between.empty() && !out.empty() && is_digit(out.back()) && is_digit(c)) out += between;
    between.clear();
    out += lower(c);
  }
  return out;
}

bool ModelNames::add(std::string_view name, Target target) {
  const auto [it, fresh] = targets_.emplace(fold_model_name(name), target);
  return fresh || it->second == target;
}

std::optional<ModelNames::Target> ModelNames::find_exact(std::string_view name) const {
  const auto it = targets_.find(fold_model_name(name));
  if (it == targets_.end()) return std::nullopt;
  return it->second;
}

std::optional<ModelNames::Match> ModelNames::find(std::string_view name) const {
  if (const auto whole = find_exact(name)) return Match{*whole, {}};
  const std::string outside = without_parentheses(name);
  const std::string_view plain = std::string_view(outside).substr(outside.rfind('/') + 1);
  std::string format;
  for (std::string_view rest = trimmed(plain); !rest.empty();) {
    if (const auto found = find_exact(rest)) return Match{*found, format};
    const std::size_t at = last_word(rest);
    const std::string word = folded_word(rest.substr(at));
    if (is_format(word) && format.empty()) {
      format = word;
    } else if (!is_decoration(word)) {
      return std::nullopt;
    }
    rest = trimmed(rest.substr(0, at));
  }
  return std::nullopt;
}

}  // namespace roofplan::model
