#pragma once

#include "model/units/error.hpp"

#include <array>
#include <compare>
#include <string>
#include <string_view>
#include <vector>

namespace roofplan::model {

/// A currency by its three-letter code (ISO 4217).
class Currency {
 public:
  constexpr Currency() = default;
  /// Throws InputError (usage) for anything but three capital letters.
  explicit Currency(std::string_view code);
  std::string code() const { return {code_.data(), code_.size()}; }
  friend constexpr auto operator<=>(const Currency&, const Currency&) = default;

 private:
  std::array<char, 3> code_{'U', 'S', 'D'};
};

/// An amount in one currency. Amounts of different currencies neither add nor compare: doing so throws
/// std::logic_error, since exchange needs a dated rate.
class Money {
 public:
  constexpr Money() = default;
  constexpr Money(double amount, Currency currency) : amount_(amount), currency_(currency) {}
  constexpr double amount() const { return amount_; }
  constexpr Currency currency() const { return currency_; }

  friend Money operator+(Money a, Money b) { return {a.amount_ + b.in(a.currency_), a.currency_}; }
  friend Money operator-(Money a, Money b) { return {a.amount_ - b.in(a.currency_), a.currency_}; }
  friend constexpr Money operator*(Money a, double k) { return {a.amount_ * k, a.currency_}; }
  friend constexpr Money operator*(double k, Money a) { return a * k; }
  friend constexpr Money operator/(Money a, double k) { return {a.amount_ / k, a.currency_}; }
  friend double operator/(Money a, Money b) { return a.amount_ / b.in(a.currency_); }
  Money& operator+=(Money b) { return *this = *this + b; }
  friend bool operator<(Money a, Money b) { return a.amount_ < b.in(a.currency_); }
  friend bool operator==(const Money&, const Money&) = default;

 private:
  double in(Currency currency) const;
  double amount_ = 0.0;
  Currency currency_;
};

/// A dated rate: one unit of `from` is `rate` units of `to`.
struct ExchangeRate {
  Currency from, to;
  double rate = 1.0;
  std::string date;    ///< ISO date
  std::string source;  ///< id in data/sources.json
};

/// The amount in another currency by a rate of `rates`, forwards or backwards, never over a third currency.
/// Throws InputError (usage) when there is none.
Money exchange(Money amount, Currency to, const std::vector<ExchangeRate>& rates);

}  // namespace roofplan::model
