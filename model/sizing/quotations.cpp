#include "model/sizing/quotations.hpp"

#include "model/calibration/csv_table.hpp"
#include "model/json/json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <regex>
#include <tuple>

namespace roofplan::model {
namespace {

/// One line of a quotation as text, whatever file it stands in, and how to refuse it.
struct Line {
  std::string item, amount, currency, date, per, accelerators, note;
  Location where;

  [[noreturn]] void fail(const std::string& what, const std::string& expected,
                         std::vector<std::string> nearest = {}) const {
    throw InputError(InputError::Kind::content, what, expected, where, std::move(nearest));
  }
};

/// No single part costs more, in any currency.
constexpr double kMost = 1e12;

double amount_of(const Line& line, const std::string& text, const char* what) {
  std::size_t used = 0;
  double value = -1;
  try {
    value = std::stod(text, &used);
  } catch (const std::exception&) {
    used = 0;
  }
  if (used != text.size() || text.empty() || !std::isfinite(value) || value < 0 || value > kMost)
    line.fail(fmt::format("{} is \"{}\"", what, text),
              "a number from 0 to 1e12 without currency or separators");
  return value;
}

/// A day of the calendar, as 2026-11-30.
bool is_day(const std::string& text) {
  static const std::regex kDate(R"((\d{4})-(\d{2})-(\d{2}))");
  std::smatch part;
  if (!std::regex_match(text, part, kDate)) return false;
  return std::chrono::year_month_day(std::chrono::year(std::stoi(part[1])),
                                     std::chrono::month(static_cast<unsigned>(std::stoi(part[2]))),
                                     std::chrono::day(static_cast<unsigned>(std::stoi(part[3]))))
      .ok();
}

/// Refuses a currency that nothing can be exchanged into.
void check_rate(const Line& line, const std::string& code, const Catalog& catalog) {
  std::vector<std::string> known;
  for (const ExchangeRate& rate : catalog.exchange_rates())
    for (const Currency& currency : {rate.from, rate.to}) known.push_back(currency.code());
  if (std::find(known.begin(), known.end(), code) != known.end()) return;
  line.fail(fmt::format("there is no dated rate for {}", code),
            fmt::format("one of {}", fmt::join(known, ", ")), nearest_names(code, known));
}

Price::Per per_of(const Line& line, bool system) {
  if (line.per.empty()) return system ? Price::Per::system : Price::Per::part;
  if (line.per == "system") return Price::Per::system;
  if (line.per == "accelerator") return Price::Per::accelerator;
  if (line.per == "part") return Price::Per::part;
  if (line.per == "accelerator-hour") return Price::Per::accelerator_hour;
  if (line.per == "instance-hour") return Price::Per::instance_hour;
  line.fail(fmt::format("per is \"{}\"", line.per),
            "system, accelerator, part, accelerator-hour or instance-hour");
}

Price price_of(const Line& line, const Catalog& catalog) {
  Price out;
  const System* system = catalog.systems().find_if(line.item);
  const auto& parts = catalog.network().parts();
  const bool part = std::any_of(parts.begin(), parts.end(), [&](const auto& p) { return p.id == line.item; });
  if (system == nullptr && !part) {
    std::vector<std::string> known = catalog.systems().ids();
    for (const auto& p : parts) known.push_back(p.id);
    line.fail(fmt::format("\"{}\" is neither a system nor a network part", line.item),
              "an id that roofplan systems lists, or one of roofplan fabric's bill",
              nearest_names(line.item, known));
  }
  if (!is_day(line.date))
    line.fail(fmt::format("the date is \"{}\"", line.date), "the day of the quotation, as 2026-11-30");
  out.per = per_of(line, system != nullptr);
  out.system = system != nullptr ? system->id : "";
  out.id = part ? line.item : "quotation-" + line.item;
  out.name = line.item;
  out.terms =
      out.per == Price::Per::accelerator_hour || out.per == Price::Per::instance_hour ? "on-demand" : "list";
  if (!line.accelerators.empty())
    out.accelerators = static_cast<std::int64_t>(amount_of(line, line.accelerators, "accelerators"));
  if (out.per == Price::Per::instance_hour && out.accelerators < 1)
    line.fail("an instance without its number of accelerators", "accelerators, at least 1");
  out.amount.value = amount_of(line, line.amount, "the amount");
  try {
    out.amount.unit = Currency(line.currency).code();
  } catch (const InputError& e) {
    line.fail(e.message(), "a three-letter code, as USD or KRW");
  }
  check_rate(line, out.amount.unit, catalog);
  out.amount.provenance = {"quotation", Provenance::Kind::price, line.date, line.note};
  return out;
}

std::vector<Line> lines_of_csv(const std::string& path) {
  const CsvTable table = CsvTable::read(path);
  const auto cell = [&](std::size_t row, const char* name) {
    const auto at = table.find(name);
    return at ? table.text(row, *at) : std::string();
  };
  for (const char* name : {"item", "amount", "currency", "date"}) table.column(name);
  std::vector<Line> out;
  for (std::size_t row = 0; row < table.size(); ++row) {
    out.push_back({cell(row, "item"), cell(row, "amount"), cell(row, "currency"), cell(row, "date"),
                   cell(row, "per"), cell(row, "accelerators"), cell(row, "note"),
                   table.where(row, table.column("item"))});
  }
  return out;
}

std::vector<Line> lines_of_json(const std::string& path) {
  const Json json = parse_json(read_text_file(path), path);
  const JsonReader root(json, path);
  std::vector<Line> out;
  int index = 0;
  for (const JsonReader& entry : root.at("prices").elements()) {
    const auto text = [&](const char* key) {
      const auto found = entry.find(key);
      return found ? found->as_string() : std::string();
    };
    Line line{entry.at("item").as_string(),
              fmt::format("{}", entry.at("amount").as_number()),
              entry.at("currency").as_string(),
              entry.at("date").as_string(),
              text("per"),
              {},
              text("note"),
              {path, fmt::format("/prices/{}", index++), 0}};
    if (const auto count = entry.find("accelerators"))
      line.accelerators = fmt::format("{}", count->as_integer(1, 100000));
    entry.finish();
    out.push_back(std::move(line));
  }
  root.finish();
  return out;
}

}  // namespace

std::vector<Price> read_quotations(const std::string& path, const Catalog& catalog) {
  const std::vector<Line> lines = path.ends_with(".json") ? lines_of_json(path) : lines_of_csv(path);
  if (lines.empty())
    throw InputError(InputError::Kind::content, "the file states no price", "a line for each part quoted",
                     {path, {}, 0});
  std::vector<Price> out;
  std::map<std::tuple<std::string, Price::Per, std::int64_t>, std::string> quoted;
  for (const Line& line : lines) {
    Price price = price_of(line, catalog);
    const auto [first, is_new] =
        quoted.try_emplace({price.id, price.per, price.accelerators}, line.where.to_string());
    if (!is_new)
      line.fail(fmt::format("\"{}\" is quoted twice, first at {}", line.item, first->second),
                "one price for each part");
    out.push_back(std::move(price));
  }
  return out;
}

}  // namespace roofplan::model
