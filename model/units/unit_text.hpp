#pragma once

#include "model/units/byte_count.hpp"
#include "model/units/quantity.hpp"

#include <array>
#include <string>
#include <string_view>

namespace roofplan::model {

/// A number with the exponents of its dimension (byte, flop, second, joule, token, litre).
struct AnyQuantity {
  double base = 0.0;
  std::array<int, 6> dimension{};
};

/// The factor and dimension of a unit. Grammar: [prefix]atom[/[prefix]atom]...
///   atoms    B (byte), b or bit, FLOP (also FLOPS, OP, OPS as a rate), s, min, h, d, J, Wh, W, tok, token, L
///   prefixes k M G T P E (powers of 1000), Ki Mi Gi Ti Pi Ei (powers of 1024; bytes, bits and tokens only),
///            m u n (seconds, joules, watts only)
/// A bare prefix ("G") is refused: GB and GiB differ. Throws InputError (usage).
AnyQuantity parse_unit(std::string_view text);

/// A number and its unit, "40 kW", "273GB/s", "1.5 GiB". Throws InputError (usage).
AnyQuantity parse_any_quantity(std::string_view text);

/// A whole, non-negative number of tokens, people or devices: "131072", "131,072", "128Ki". "128k" is
/// refused, since users mean 128,000 by it as often as 131,072. Throws InputError (usage).
std::int64_t parse_count(std::string_view text);

/// A finite number: digits, one dot, an exponent. Throws InputError (usage).
double parse_number(std::string_view text);

namespace detail {
[[noreturn]] void throw_dimension_mismatch(std::string_view text, const std::array<int, 6>& wanted);
template <class D>
constexpr std::array<int, 6> exponents() {
  return {D::byte, D::flop, D::second, D::joule, D::token, D::litre};
}
}  // namespace detail

/// A quantity of the wanted dimension from text with a unit. Throws InputError (usage) when the unit is
/// missing, unknown or of another dimension.
template <class Q>
Q parse_quantity(std::string_view text) {
  const AnyQuantity q = parse_any_quantity(text);
  constexpr auto wanted = detail::exponents<typename Q::dimension>();
  if (q.dimension != wanted) detail::throw_dimension_mismatch(text, wanted);
  return Q::from_base(q.base);
}

/// A quantity from a number and a unit kept apart, as data files have them. Errors as parse_quantity.
template <class Q>
Q quantity_in(double value, std::string_view unit_text) {
  const AnyQuantity u = parse_unit(unit_text);
  constexpr auto wanted = detail::exponents<typename Q::dimension>();
  if (u.dimension != wanted) detail::throw_dimension_mismatch(unit_text, wanted);
  return Q::from_base(value * u.base);
}

/// Memory in powers of 1024 with one decimal, "93.1 GiB". Exact below 1 KiB.
std::string to_text(ByteCount bytes);
/// Four significant digits with an SI prefix: "273 GB/s", "14.5 kW", "1.25 ms", "2.25 PFLOP/s".
std::string to_text(BytesPerSecond q);
std::string to_text(FlopPerSecond q);
std::string to_text(Watts q);
std::string to_text(Seconds q);
std::string to_text(TokensPerSecond q);
/// An integer with thousands separators, "70,272".
std::string grouped(std::int64_t n);

}  // namespace roofplan::model
