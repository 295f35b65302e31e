#include "model/units/unit_text.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <optional>

namespace roofplan::model {
namespace {

using Exponents = std::array<int, 6>;

struct Atom {
  std::string_view symbol;
  double factor;
  Exponents dimension;
  std::string_view prefixes;  ///< SI prefixes it takes
  bool binary = false;        ///< takes Ki, Mi, ... too
};

constexpr std::string_view kLarge = "kMGTPE", kSmall = "mun", kBoth = "munkMGTPE", kNone = "";

// Longest symbols first, so that "FLOPS" is not read as "FLOP" with an S left over.
constexpr std::array kAtoms{
    Atom{"FLOPS", 1, {0, 1, -1, 0, 0, 0}, kLarge},
    Atom{"FLOP", 1, {0, 1, 0, 0, 0, 0}, kLarge},
    Atom{"OPS", 1, {0, 1, -1, 0, 0, 0}, kLarge},
    Atom{"OP", 1, {0, 1, 0, 0, 0, 0}, kLarge},
    Atom{"token", 1, {0, 0, 0, 0, 1, 0}, kLarge},
    Atom{"tok", 1, {0, 0, 0, 0, 1, 0}, kLarge},
    Atom{"bit", 0.125, {1, 0, 0, 0, 0, 0}, kLarge, true},
    Atom{"min", 60, {0, 0, 1, 0, 0, 0}, kNone},
    Atom{"Wh", 3600, {0, 0, 0, 1, 0, 0}, kLarge},
    Atom{"B", 1, {1, 0, 0, 0, 0, 0}, kLarge, true},
    Atom{"b", 0.125, {1, 0, 0, 0, 0, 0}, kLarge, true},
    Atom{"s", 1, {0, 0, 1, 0, 0, 0}, kSmall},
    Atom{"h", 3600, {0, 0, 1, 0, 0, 0}, kNone},
    Atom{"d", 86400, {0, 0, 1, 0, 0, 0}, kNone},
    Atom{"W", 1, {0, 0, -1, 1, 0, 0}, kBoth},
    Atom{"J", 1, {0, 0, 0, 1, 0, 0}, kBoth},
    Atom{"L", 1, {0, 0, 0, 0, 0, 1}, kSmall},
};

constexpr std::string_view kUnitExamples =
    "a unit such as B, GiB, GB/s, Gb/s, TFLOP/s, ms, h, kW, kWh, tok/s";

double si_factor(char prefix) {
  switch (prefix) {
    case 'n':
      return 1e-9;
    case 'u':
      return 1e-6;
    case 'm':
      return 1e-3;
    case 'k':
      return 1e3;
    case 'M':
      return 1e6;
    case 'G':
      return 1e9;
    case 'T':
      return 1e12;
    case 'P':
      return 1e15;
    default:
      return 1e18;  // E
  }
}

std::optional<double> prefix_factor(std::string_view prefix, const Atom& atom) {
  if (prefix.empty()) return 1.0;
  if (prefix.size() == 1 && atom.prefixes.find(prefix[0]) != std::string_view::npos) {
    return si_factor(prefix[0]);
  }
  const std::size_t power = std::string_view("KMGTPE").find(prefix[0]);
  if (prefix.size() == 2 && prefix[1] == 'i' && atom.binary && power != std::string_view::npos) {
    return std::exp2(10.0 * static_cast<double>(power + 1));
  }
  return std::nullopt;
}

[[noreturn]] void throw_unknown_unit(std::string_view text) {
  if (text.size() <= 2 && !text.empty() &&
      std::string_view("KkMGTPE").find(text[0]) != std::string_view::npos) {
    throw InputError(InputError::Kind::usage, fmt::format("\"{}\" is a prefix, not a unit", text),
                     fmt::format("{0}B (powers of 1000) or {1}iB (powers of 1024)",
                                 text[0] == 'K' ? 'k' : text[0], text[0] == 'k' ? 'K' : text[0]));
  }
  throw InputError(InputError::Kind::usage, fmt::format("unknown unit \"{}\"", text),
                   std::string(kUnitExamples));
}

AnyQuantity parse_factor(std::string_view text) {
  for (const Atom& atom : kAtoms) {
    if (!text.ends_with(atom.symbol)) continue;
    const auto factor = prefix_factor(text.substr(0, text.size() - atom.symbol.size()), atom);
    if (factor) return {*factor * atom.factor, atom.dimension};
  }
  throw_unknown_unit(text);
}

std::string_view trim(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

/// The number at the start of `text`, which is shortened to what follows it.
double take_number(std::string_view& text) {
  const std::string_view whole = text;
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || !std::isfinite(value)) {
    throw InputError(InputError::Kind::usage, fmt::format("\"{}\" is not a number", whole),
                     "a finite number with a dot as decimal sign");
  }
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return value;
}

std::string scaled(double value, std::string_view unit_text, std::string_view prefixes) {
  const double size = std::abs(value);
  double factor = 1;
  std::string prefix;
  for (const char p : prefixes) {
    const double f = si_factor(p);
    const bool better = f >= 1 ? (size >= f && f > factor) : (size < factor && size > 0);
    if (better) {
      factor = f;
      prefix = p;
    }
  }
  return fmt::format("{:.4g} {}{}", value / factor, prefix, unit_text);
}

}  // namespace

AnyQuantity parse_unit(std::string_view text) {
  AnyQuantity out{1.0, {}};
  int sign = 1;
  std::string_view rest = trim(text);
  while (true) {
    const std::size_t slash = rest.find('/');
    const AnyQuantity factor = parse_factor(trim(rest.substr(0, slash)));
    out.base = sign > 0 ? out.base * factor.base : out.base / factor.base;
    for (std::size_t i = 0; i < out.dimension.size(); ++i) out.dimension[i] += sign * factor.dimension[i];
    if (slash == std::string_view::npos) return out;
    rest.remove_prefix(slash + 1);
    sign = -1;
  }
}

AnyQuantity parse_any_quantity(std::string_view text) {
  std::string_view rest = trim(text);
  const double value = take_number(rest);
  rest = trim(rest);
  if (rest.empty()) {
    throw InputError(InputError::Kind::usage, fmt::format("\"{}\" has no unit", text),
                     std::string(kUnitExamples));
  }
  AnyQuantity out = parse_unit(rest);
  out.base *= value;
  return out;
}

std::int64_t parse_count(std::string_view text) {
  std::string digits;
  for (const char c : trim(text)) {
    if (c != ',' && c != '_') digits += c;
  }
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  const std::string_view suffix(end, static_cast<std::size_t>(digits.data() + digits.size() - end));
  if (error == std::errc{} && value >= 0) {
    if (suffix.empty()) return value;
    if (suffix == "Ki") return checked_mul(value, 1024);
    if (suffix == "Mi") return checked_mul(value, 1024 * 1024);
    if (suffix == "k" || suffix == "K") {
      throw InputError(
          InputError::Kind::usage,
          fmt::format("\"{}\" may mean {} or {}", text, checked_mul(value, 1000), checked_mul(value, 1024)),
          fmt::format("the number in full, or {}Ki for {}", value, checked_mul(value, 1024)));
    }
  }
  throw InputError(InputError::Kind::usage, fmt::format("\"{}\" is not a whole number of at least 0", text),
                   "digits, or digits with Ki or Mi");
}

double parse_number(std::string_view text) {
  std::string_view rest = trim(text);
  const double value = take_number(rest);
  if (!rest.empty()) {
    throw InputError(InputError::Kind::usage, fmt::format("\"{}\" is not a number", text), "a plain number");
  }
  return value;
}

void detail::throw_dimension_mismatch(std::string_view text, const std::array<int, 6>& wanted) {
  constexpr std::array<std::string_view, 6> kNames{"byte", "FLOP", "s", "J", "token", "L"};
  std::string above, below;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    for (int n = 0; n < std::abs(wanted[i]); ++n)
      (wanted[i] > 0 ? above : below) += std::string(kNames[i]) + " ";
  }
  std::string expected = "a unit of " + (above.empty() ? std::string("1 ") : above);
  if (!below.empty()) expected += "per " + below;
  expected.pop_back();
  if (wanted == detail::exponents<Watts::dimension>()) expected = "a unit of power, as W";
  throw InputError(InputError::Kind::usage, fmt::format("\"{}\" measures something else", text), expected);
}

std::string to_text(ByteCount bytes) {
  const auto n = static_cast<double>(bytes.count());
  const double size = std::abs(n);
  if (size < 1024) return fmt::format("{} B", bytes.count());
  if (size < 1024.0 * 1024) return fmt::format("{:.1f} KiB", n / 1024);
  if (size < 0x1p30) return fmt::format("{:.1f} MiB", n / 0x1p20);
  if (size < 0x1p44) return fmt::format("{:.1f} GiB", n / 0x1p30);
  return fmt::format("{:.1f} TiB", n / 0x1p40);
}

std::string to_text(BytesPerSecond q) {
  return scaled(q.base(), "B/s", "kMGTPE");
}
std::string to_text(FlopPerSecond q) {
  return scaled(q.base(), "FLOP/s", "kMGTPE");
}
std::string to_text(Watts q) {
  return scaled(q.base(), "W", "kMG");
}
std::string to_text(TokensPerSecond q) {
  return fmt::format("{:.4g} tok/s", q.base());
}

std::string to_text(Seconds q) {
  const double t = std::abs(q.base());
  if (t < 120) return scaled(q.base(), "s", "mun");
  if (t < 7200) return fmt::format("{:.4g} min", q / unit::minute);
  if (t < 172800) return fmt::format("{:.4g} h", q / unit::hour);
  return fmt::format("{:.4g} d", q / unit::day);
}

std::string grouped(std::int64_t n) {
  std::string digits = std::to_string(n);
  const std::size_t first = digits[0] == '-' ? 1 : 0;
  for (std::size_t i = digits.size(); i > first + 3;) {
    i -= 3;
    digits.insert(i, ",");
  }
  return digits;
}

}  // namespace roofplan::model
