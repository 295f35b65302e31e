#include "model/sizing/quotations.hpp"

#include "model/calibration/csv_table.hpp"
#include "model/json/json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <regex>

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

double amount_of(const Line& line, const std::string& text, const char* what) {
  std::size_t used = 0;
  double value = -1;
  try {
    value = std::stod(text, &used);
  } catch (const std::exception&) {
    used = 0;
  }
  if (used != text.size() || text.empty() || !std::isfinite(value) || value < 0)
    line.fail(fmt::format("{} is \"{}\"", what, text),
              "a number of at least 0 without currency or separators");
  return value;
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
  static const std::regex kDate(R"(\d{4}-\d{2}-\d{2})");
  if (!std::regex_match(line.date, kDate))
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
  std::vector<Price> out;
  for (const Line& line : path.ends_with(".json") ? lines_of_json(path) : lines_of_csv(path))
    out.push_back(price_of(line, catalog));
  return out;
}

}  // namespace roofplan::model
