#pragma once

#include <compare>

namespace roofplan::model {

/// Exponents of the base dimensions: byte, floating-point operation, second, joule, token, litre.
/// An integer operation of a matrix unit counts as one floating-point operation.
template <int B, int F, int S, int J, int T, int L>
struct Dimension {
  static constexpr int byte = B, flop = F, second = S, joule = J, token = T, litre = L;
};

template <class A, class B>
using DimensionProduct = Dimension<A::byte + B::byte, A::flop + B::flop, A::second + B::second,
                                   A::joule + B::joule, A::token + B::token, A::litre + B::litre>;
template <class A, class B>
using DimensionQuotient = Dimension<A::byte - B::byte, A::flop - B::flop, A::second - B::second,
                                    A::joule - B::joule, A::token - B::token, A::litre - B::litre>;
using Dimensionless = Dimension<0, 0, 0, 0, 0, 0>;

/// A physical quantity, held in the base units above. Numbers enter and leave through a unit only:
/// `Seconds t = 5.0 * unit::ms; double in_us = t / unit::us;`. A dimensionless result is a double.
template <class D>
class Quantity {
 public:
  using dimension = D;

  constexpr Quantity() = default;
  /// The value `v` in base units. Meant for unit constants, readers and writers.
  static constexpr Quantity from_base(double v) { return Quantity(v); }
  /// The value in base units (bytes, FLOP, seconds, joules, tokens, litres and their ratios).
  constexpr double base() const { return v_; }

  friend constexpr Quantity operator+(Quantity a, Quantity b) { return Quantity(a.v_ + b.v_); }
  friend constexpr Quantity operator-(Quantity a, Quantity b) { return Quantity(a.v_ - b.v_); }
  friend constexpr Quantity operator-(Quantity a) { return Quantity(-a.v_); }
  friend constexpr Quantity operator*(Quantity a, double k) { return Quantity(a.v_ * k); }
  friend constexpr Quantity operator*(double k, Quantity a) { return Quantity(a.v_ * k); }
  friend constexpr Quantity operator/(Quantity a, double k) { return Quantity(a.v_ / k); }
  constexpr Quantity& operator+=(Quantity b) { return v_ += b.v_, *this; }
  constexpr Quantity& operator-=(Quantity b) { return v_ -= b.v_, *this; }
  constexpr Quantity& operator*=(double k) { return v_ *= k, *this; }
  friend constexpr auto operator<=>(Quantity, Quantity) = default;

 private:
  explicit constexpr Quantity(double v) : v_(v) {}
  double v_ = 0.0;
};

namespace detail {
template <class D>
constexpr auto quantity_or_number(double v) {
  if constexpr (D::byte == 0 && D::flop == 0 && D::second == 0 && D::joule == 0 && D::token == 0 &&
                D::litre == 0) {
    return v;
  } else {
    return Quantity<D>::from_base(v);
  }
}
}  // namespace detail

template <class A, class B>
constexpr auto operator*(Quantity<A> a, Quantity<B> b) {
  return detail::quantity_or_number<DimensionProduct<A, B>>(a.base() * b.base());
}
template <class A, class B>
constexpr auto operator/(Quantity<A> a, Quantity<B> b) {
  return detail::quantity_or_number<DimensionQuotient<A, B>>(a.base() / b.base());
}
template <class D>
constexpr auto operator/(double k, Quantity<D> a) {
  return detail::quantity_or_number<DimensionQuotient<Dimensionless, D>>(k / a.base());
}

//                              byte flop  s  J  tok  L
using Bytes = Quantity<Dimension<1, 0, 0, 0, 0, 0>>;
using Flop = Quantity<Dimension<0, 1, 0, 0, 0, 0>>;
using Seconds = Quantity<Dimension<0, 0, 1, 0, 0, 0>>;
using Joules = Quantity<Dimension<0, 0, 0, 1, 0, 0>>;
using Tokens = Quantity<Dimension<0, 0, 0, 0, 1, 0>>;
using Litres = Quantity<Dimension<0, 0, 0, 0, 0, 1>>;
using Watts = Quantity<Dimension<0, 0, -1, 1, 0, 0>>;
using BytesPerSecond = Quantity<Dimension<1, 0, -1, 0, 0, 0>>;
using FlopPerSecond = Quantity<Dimension<0, 1, -1, 0, 0, 0>>;
using TokensPerSecond = Quantity<Dimension<0, 0, -1, 0, 1, 0>>;
using PerSecond = Quantity<Dimension<0, 0, -1, 0, 0, 0>>;
using LitresPerSecond = Quantity<Dimension<0, 0, -1, 0, 0, 1>>;
using BytesPerToken = Quantity<Dimension<1, 0, 0, 0, -1, 0>>;
using JoulesPerToken = Quantity<Dimension<0, 0, 0, 1, -1, 0>>;

/// Units in which numbers enter and leave. GB is 1e9 bytes, GiB is 2^30 bytes, Gb is 1e9 bits.
namespace unit {
inline constexpr Bytes B = Bytes::from_base(1), kB = 1e3 * B, MB = 1e6 * B, GB = 1e9 * B, TB = 1e12 * B;
inline constexpr Bytes KiB = 1024 * B, MiB = 1024 * KiB, GiB = 1024 * MiB, TiB = 1024 * GiB;
inline constexpr Flop flop = Flop::from_base(1), GFLOP = 1e9 * flop, TFLOP = 1e12 * flop;
inline constexpr Seconds s = Seconds::from_base(1), ms = 1e-3 * s, us = 1e-6 * s, ns = 1e-9 * s;
inline constexpr Seconds minute = 60 * s, hour = 3600 * s, day = 24 * hour, year = 365.25 * day;
inline constexpr Joules J = Joules::from_base(1), kWh = 3.6e6 * J;
inline constexpr Tokens token = Tokens::from_base(1);
inline constexpr Litres litre = Litres::from_base(1);
inline constexpr Watts W = J / s, kW = 1e3 * W, MW = 1e6 * W;
inline constexpr BytesPerSecond B_s = B / s, GB_s = GB / s, TB_s = TB / s, Gb_s = GB / s / 8;
inline constexpr FlopPerSecond FLOP_s = flop / s, TFLOP_s = TFLOP / s, PFLOP_s = 1e3 * TFLOP_s;
inline constexpr TokensPerSecond tok_s = token / s;
inline constexpr LitresPerSecond L_min = litre / minute;
}  // namespace unit

}  // namespace roofplan::model
