#include "model/report/board/money_text.hpp"
#include "model/report/board/sections.hpp"
#include "model/report/fabric_document.hpp"
#include "model/report/numbers.hpp"

#include <algorithm>

namespace roofplan::model::report {
namespace {

using Align = Column::Align;

/// Rows of the bill; amounts in one scale.
class Bill {
 public:
  explicit Bill(const BoardCase& board)
      : board_(board),
        case_(*board.purchase),
        scale_(case_.plan.cost.capital.amount(), board.scenario().money.currency) {}

  Table table() {
    table_.columns = {Column(Text("cost.item")),
                      Column(Text("cost.count"), Align::right),
                      Column(scale_.labelled(Text("cost.each")), Align::right),
                      Column(scale_.labelled(Text("board.sum")), Align::right),
                      Column(Text("board.price_of")),
                      Column(Text("board.source"), Align::right)};
    for (const CostItem& item : case_.plan.cost.items) add(item);
    if (const auto& installation = board_.scenario().money.installation) add_installation(*installation);
    for (const BillLine& line : case_.network) add(line);
    for (const std::string& part : case_.plan.cost.unpriced)
      if (!is_network_line(part)) add_unpriced(unpriced_text(part), "");
    table_.rows.push_back({Cell(Text("board.priced_sum"), Tone::strong), Cell(), Cell(),
                           Cell(scale_.number(case_.plan.cost.capital.amount()), Tone::strong), Cell(),
                           Cell()});
    if (case_.plan.cost.later.amount() > 0) add_later();
    if (additions_need_network()) add_unpriced(Text("board.additions_network"), "");
    return std::move(table_);
  }

 private:
  /// What a growing load adds, at the prices of the first systems.
  void add_later() {
    table_.rows.push_back({Cell(Text("board.additions")),
                           Cell(grouped(case_.plan.count_end() - case_.plan.count)), Cell("-", Tone::faint),
                           Cell(scale_.number(case_.plan.cost.later.amount())),
                           Cell(Text("board.at_todays_prices")), Cell()});
  }

  void add(const CostItem& item) {
    const bool stated = item.source.empty() && item.date.empty();
    Text from(item.estimate ? "board.dated_estimate"
              : item.quoted ? "board.dated_quote"
                            : "board.dated",
              {{"date", item.date}});
    if (stated) from = Text("board.as_asked");
    const std::string sum = scale_.number(item.each.amount() * static_cast<double>(item.count));
    table_.rows.push_back({Cell(name_of(item)), Cell(grouped(item.count)),
                           Cell(scale_.number(item.each.amount())), Cell(sum), Cell(std::move(from)),
                           item.source.empty() ? Cell() : Cell(Citation{{item.source}})});
  }

  /// Part of the purchase that the scenario states as one sum.
  void add_installation(double amount) {
    table_.rows.push_back({Cell(Text("board.part_racks")), Cell(), Cell("-", Tone::faint),
                           Cell(scale_.number(amount)), Cell(Text("board.as_asked")), Cell()});
  }

  void add(const BillLine& line) {
    const auto& items = case_.plan.cost.items;
    if (std::any_of(items.begin(), items.end(), [&](const CostItem& i) { return i.item == line.part; }))
      return;
    if (line.inside_system) {
      table_.rows.push_back({Cell(line_text(line)), Cell(grouped(line.count)), Cell("-", Tone::faint),
                             Cell("-", Tone::faint), Cell(Text("board.in_system")), Cell()});
    } else {
      add_unpriced(line_text(line), grouped(line.count));
    }
  }

  void add_unpriced(const Text& name, const std::string& count) {
    table_.rows.push_back({Cell(name), Cell(count), Cell("-", Tone::faint), Cell("-", Tone::faint),
                           Cell(Text("board.no_price"), Tone::caution), Cell()});
  }

  static Text line_text(const BillLine& line) {
    const Text use = use_text(line.use);
    if (line.use == BillLine::Use::cable) return use;
    return Text("board.part_name", {{"use", use}, {"name", line.name}});
  }

  /// Whether more of the network has no price in the end than today.
  bool additions_need_network() const {
    const auto& unpriced = case_.plan.cost.unpriced;
    return std::any_of(unpriced.begin(), unpriced.end(), [&](const std::string& part) {
      return is_network_line(part) &&
             std::none_of(case_.network.begin(), case_.network.end(), [&](const BillLine& line) {
               return part == std::to_string(line.count) + " x " + line.part;
             });
    });
  }

  /// Whether "8 x qsfp56-dac-200g" is of a network: today's stands in the bill, that of additions is theirs.
  bool is_network_line(const std::string& part) const {
    const auto& parts = board_.data.catalog().network().parts();
    return std::any_of(parts.begin(), parts.end(),
                       [&](const NetworkPart& one) { return part.ends_with(" x " + one.id); });
  }

  /// The name under which the price was seen; that of the part for parts of the network.
  Text name_of(const CostItem& item) const {
    if (item.item == kHostOfCards) return unpriced_text(item.item);
    for (const BillLine& line : case_.network)
      if (line.part == item.item) return line_text(line);
    const auto& prices = board_.data.catalog().prices().all();
    const auto price =
        std::find_if(prices.begin(), prices.end(), [&](const Price& p) { return p.id == item.price; });
    const std::string system = case_.system->name;
    if (price == prices.end() || price->name.empty() || price->name == system) return as_is(system);
    return Text("board.priced_as", {{"system", system}, {"price", priced_name(price->id, price->name)}});
  }

  const BoardCase& board_;
  const PurchaseCase& case_;
  MoneyScale scale_;
  Table table_;
};

}  // namespace

PageBlocks bill_section(const BoardCase& board) {
  PageBlocks out;
  out.emplace_back(Heading{Text("board.bill"), false});
  out.emplace_back(Bill(board).table());
  out.emplace_back(Paragraph{Text("board.bill_note"), Tone::faint});
  return out;
}

}  // namespace roofplan::model::report
