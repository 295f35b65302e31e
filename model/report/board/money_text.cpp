#include "model/report/board/money_text.hpp"

#include "model/report/numbers.hpp"
#include "model/report/text_table.hpp"
#include "model/units/error.hpp"

#include <fmt/format.h>

#include <cmath>

namespace roofplan::model::report {
namespace {

constexpr double kMillion = 1e6;
/// From here on amounts are told in millions.
constexpr double kMillionsFrom = 1e7;

/// The currency's name where the language has one, else its code.
Text currency_text(const std::string& code) {
  if (code == "USD") return Text("money.usd");
  if (code == "KRW") return Text("money.krw");
  return as_is(code);
}

std::string millions_text(double amount) {
  const double millions = amount / kMillion;
  if (std::abs(millions) >= 1000) return grouped(std::llround(millions));
  return fmt::format("{:.1f}", millions);
}

}  // namespace

MoneyScale::MoneyScale(double largest, const std::string& currency)
    : factor_(std::abs(largest) >= kMillionsFrom ? kMillion : 1), currency_(currency) {}

Text MoneyScale::unit() const {
  const Text currency = currency_text(currency_);
  return factor_ > 1 ? Text("money.million_unit", {{"currency", currency}}) : currency;
}

std::string MoneyScale::number(double amount) const {
  return factor_ > 1 ? millions_text(amount) : grouped(std::llround(amount));
}

Text MoneyScale::labelled(Text label) const {
  return Text("board.with_unit", {{"label", std::move(label)}, {"unit", unit()}});
}

Text money_text(const Money& money) {
  const Text currency = currency_text(money.currency().code());
  if (std::abs(money.amount()) >= kMillionsFrom)
    return Text("money.million", {{"amount", millions_text(money.amount())}, {"currency", currency}});
  return Text("money.amount", {{"amount", grouped(std::llround(money.amount()))}, {"currency", currency}});
}

Text money_text(const Money& money, const CostOption& option) {
  if (option.unpriced.empty()) return money_text(money);
  return Text("board.at_least", {{"amount", money_text(money)}});
}

Text price_text(double amount, const std::string& currency) {
  constexpr double kWholeFrom = 1000;
  const std::string number = amount < kWholeFrom ? number_text(amount) : grouped(std::llround(amount));
  return Text("money.amount", {{"amount", number}, {"currency", currency_text(currency)}});
}

std::optional<Text> in_other_currency(const Money& money, const std::vector<ExchangeRate>& rates) {
  const Currency other(money.currency().code() == "USD" ? "KRW" : "USD");
  try {
    return money_text(exchange(money, other, rates));
  } catch (const InputError&) {
    return std::nullopt;
  }
}

Text priced_name(const std::string& id, const std::string& name) {
  std::string key = "price." + id;
  return TextTable::of_language("en").has(key) ? Text(std::move(key)) : as_is(name);
}

Text unpriced_text(const std::string& part) {
  static constexpr std::pair<const char*, const char*> kNamed[] = {
      {kHostOfCards, "board.part_host"},
      {"racks and installation", "board.part_racks"},
      {"room", "board.part_room"},
      {"people", "board.part_people"},
      {"network", "board.part_network"},
      {"electricity: the system's power is unknown", "board.part_electricity"}};
  for (const auto& [name, key] : kNamed)
    if (part == name) return Text(key);
  constexpr std::string_view kRest = ": the rest of the system";
  if (part.ends_with(kRest))
    return Text("board.part_rest", {{"system", part.substr(0, part.size() - kRest.size())}});
  return as_is(part);
}

Text years_text(double years) {
  if (years == 1) return Text("money.one_year");
  return Text("money.years", {{"years", number_text(years)}});
}

}  // namespace roofplan::model::report
