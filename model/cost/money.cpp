#include "model/cost/money.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace roofplan::model {

Currency::Currency(std::string_view code) {
  const bool good =
      code.size() == 3 && std::all_of(code.begin(), code.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
  if (!good) {
    throw InputError(InputError::Kind::usage, fmt::format("\"{}\" is no currency", code),
                     "a three-letter code such as USD or KRW");
  }
  std::copy(code.begin(), code.end(), code_.begin());
}

double Money::in(Currency currency) const {
  if (currency != currency_) {
    throw std::logic_error(
        fmt::format("{} and {} meet without an exchange rate", currency_.code(), currency.code()));
  }
  return amount_;
}

Money exchange(Money amount, Currency to, const std::vector<ExchangeRate>& rates) {
  const Currency from = amount.currency();
  if (from == to) return amount;
  for (const ExchangeRate& rate : rates) {
    if (rate.from == from && rate.to == to) return {amount.amount() * rate.rate, to};
    if (rate.from == to && rate.to == from) return {amount.amount() / rate.rate, to};
  }
  std::vector<std::string> known;
  for (const ExchangeRate& rate : rates) known.push_back(rate.from.code() + "/" + rate.to.code());
  throw InputError(InputError::Kind::usage,
                   fmt::format("there is no dated rate from {} to {}", from.code(), to.code()),
                   fmt::format("one of: {}", fmt::join(known, ", ")));
}

}  // namespace roofplan::model
