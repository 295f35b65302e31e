#include "model/catalog/price_catalog.hpp"

#include "model/catalog/figure_reader.hpp"
#include "model/json/json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace roofplan::model {
namespace {

const std::vector<std::string> kPer{"system",        "accelerator",     "kit", "part", "site",
                                    "instance-hour", "accelerator-hour"};
const std::vector<std::string> kTerms{"list", "on-demand", "spot", "capacity-block", "contract", "estimate"};

Price read_price(const JsonReader& entry, const Sources& sources) {
  Price out;
  const auto text = [&entry](std::string_view key) {
    const auto member = entry.find(key);
    return member ? member->as_string() : std::string();
  };
  out.id = entry.at("id").as_string();
  out.name = entry.at("name").as_string();
  out.system = text("system");
  const std::string per = entry.at("per").as_word(kPer);
  out.per = static_cast<Price::Per>(std::find(kPer.begin(), kPer.end(), per) - kPer.begin());
  if (const auto count = entry.find("accelerators")) out.accelerators = count->as_integer(1, 100000);
  if (out.per == Price::Per::instance_hour) entry.at("accelerators");
  out.provider = text("provider");
  out.terms = entry.at("terms").as_word(kTerms);
  if (const auto stale = entry.find("stale")) out.stale = stale->as_bool();
  out.amount = read_price_figure(entry.at("amount"), sources);
  entry.finish();
  return out;
}

}  // namespace

PriceCatalog::PriceCatalog(const DataFiles& files, const Sources& sources) {
  for (const std::string& path : files.in_folder("prices")) {
    const Json document = parse_json(files.text(path), files.shown_path(path));
    const JsonReader root(document, files.shown_path(path));
    for (const JsonReader& entry : root.at("prices").elements()) {
      Price price = read_price(entry, sources);
      const auto same = [&price](const Price& other) { return other.id == price.id; };
      if (std::any_of(prices_.begin(), prices_.end(), same))
        entry.at("id").fail(fmt::format("the id \"{}\" is taken", price.id));
      prices_.push_back(std::move(price));
    }
    root.finish();
  }
}

void PriceCatalog::quote(std::vector<Price> quotations) {
  for (Price& price : quotations) price.quoted = true;
  prices_.insert(prices_.begin(), std::make_move_iterator(quotations.begin()),
                 std::make_move_iterator(quotations.end()));
}

const Price& PriceCatalog::price(std::string_view id) const {
  std::vector<std::string> ids;
  for (const Price& one : prices_) {
    if (one.id == id) return one;
    ids.push_back(one.id);
  }
  throw InputError(InputError::Kind::usage, fmt::format("unknown price \"{}\"", id),
                   "the id of an offer of the catalogue or of a quotation", {}, nearest_names(id, ids));
}

std::vector<const Price*> PriceCatalog::of_system(std::string_view system, Price::Per per) const {
  std::vector<const Price*> out;
  for (const Price& one : prices_) {
    if (one.system == system && one.per == per && one.amount.known() && !one.stale) out.push_back(&one);
  }
  std::stable_sort(out.begin(), out.end(), [](const Price* a, const Price* b) {
    if (a->quoted != b->quoted) return a->quoted;
    return a->amount.provenance.date > b->amount.provenance.date;
  });
  return out;
}

}  // namespace roofplan::model
