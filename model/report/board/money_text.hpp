#pragma once

#include "model/cost/money.hpp"
#include "model/sizing/cost_question.hpp"
#include "model/units/text.hpp"

#include <optional>
#include <string>
#include <vector>

namespace roofplan::model::report {

/// Amounts of one table or chart, all in whole units of the currency or all in millions, by the largest.
class MoneyScale {
 public:
  MoneyScale(double largest, const std::string& currency);

  /// "USD" or "million USD", in the language of the reader.
  Text unit() const;
  /// "18,014" or "353.7".
  std::string number(double amount) const;
  /// The amount in the unit, for a chart.
  double scaled(double amount) const { return amount / factor_; }
  /// The label with the unit behind it in parentheses.
  Text labelled(Text label) const;

 private:
  double factor_;
  std::string currency_;
};

/// An amount in a sentence, "18,014 USD", "353.7 million KRW".
Text money_text(const Money& money);
/// The same, said to be a lower bound where parts have no price.
Text money_text(const Money& money, const CostOption& option);
/// An amount with few digits, for prices of tokens and kilowatt-hours: "0.8333 USD".
Text price_text(double amount, const std::string& currency);

/// The amount in the currency that the reader did not ask for, KRW or USD; nothing without a dated rate.
std::optional<Text> in_other_currency(const Money& money, const std::vector<ExchangeRate>& rates);

/// What the price of that id is a price of: its name in the reader's language where words stand in it, else
/// `name` as it is, a product's.
Text priced_name(const std::string& id, const std::string& name);

/// What a part without a price is called.
Text unpriced_text(const std::string& part);

/// "4 years", "one year".
Text years_text(double years);

}  // namespace roofplan::model::report
