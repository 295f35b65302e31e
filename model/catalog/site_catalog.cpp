#include "model/catalog/site_catalog.hpp"

#include "model/json/json.hpp"

#include <fmt/format.h>

#include <cmath>

namespace roofplan::model {
namespace {

std::string text_or_empty(const JsonReader& entry, const char* key) {
  const auto found = entry.find(key);
  return found ? found->as_string() : std::string();
}

std::string read_source(const JsonReader& entry, const Sources& sources) {
  const JsonReader source = entry.at("source");
  if (!sources.contains(source.as_string())) source.fail("this source is not in sources.json");
  entry.at("kind").as_word({"datasheet", "measured", "derived", "estimate", "price"});
  return source.as_string();
}

double not_negative(const JsonReader& value) {
  const double v = value.as_number();
  if (!(v >= 0)) value.fail("a negative price", "at least 0");
  return v;
}

TariffWindows read_windows(const JsonReader& entry) {
  TariffWindows out{not_negative(entry.at("light")), not_negative(entry.at("mid")),
                    not_negative(entry.at("peak"))};
  if (std::abs(out.light + out.mid + out.peak - 24.0) > 1e-9)
    entry.fail("the hours of a day do not add up", "24 hours");
  entry.finish();
  return out;
}

TariffSeason read_season(const JsonReader& entry) {
  TariffSeason out;
  out.name = entry.at("name").as_string();
  out.months = static_cast<int>(entry.at("months").as_integer(1, 12));
  if (const auto flat = entry.find("flat")) {
    out.light = out.mid = out.peak = not_negative(*flat);
  } else {
    out.light = not_negative(entry.at("light"));
    out.mid = not_negative(entry.at("mid"));
    out.peak = not_negative(entry.at("peak"));
  }
  entry.finish();
  return out;
}

Tariff read_tariff(const JsonReader& entry, const Sources& sources) {
  Tariff out;
  out.id = entry.at("id").as_string();
  out.name = entry.at("name").as_string();
  out.country = entry.at("country").as_string();
  out.currency = Currency(entry.at("currency").as_string());
  out.effective = entry.at("effective").as_string();
  out.source = read_source(entry, sources);
  out.note = text_or_empty(entry, "note");
  if (const auto least = entry.find("contract_min_kw")) out.contract_min_kw = not_negative(*least);
  if (const auto below = entry.find("contract_max_kw")) out.contract_max_kw = not_negative(*below);
  out.demand_per_kw_month = not_negative(entry.at("demand_per_kw_month"));
  int months = 0;
  for (const JsonReader& season : entry.at("seasons").elements()) {
    out.seasons.push_back(read_season(season));
    months += out.seasons.back().months;
  }
  if (months != 12) entry.at("seasons").fail(fmt::format("the seasons have {} months", months), "12");
  if (const auto windows = entry.find("windows")) {
    out.weekday = read_windows(windows->at("weekday"));
    out.saturday = read_windows(windows->at("saturday"));
    out.sunday = read_windows(windows->at("sunday"));
    windows->finish();
  }
  entry.finish();
  return out;
}

Circuit read_circuit(const JsonReader& entry, const Sources& sources) {
  Circuit out;
  out.id = entry.at("id").as_string();
  out.name = entry.at("name").as_string();
  out.country = entry.at("country").as_string();
  out.volts = not_negative(entry.at("volts"));
  out.amperes = not_negative(entry.at("amperes"));
  out.phases = static_cast<int>(entry.at("phases").as_integer(1, 3));
  if (out.phases == 2) entry.at("phases").fail("a circuit has one phase or three", "1 or 3");
  out.continuous_share = not_negative(entry.at("continuous_share"));
  out.source = read_source(entry, sources);
  out.note = text_or_empty(entry, "note");
  entry.finish();
  return out;
}

/// Calls `read` for every element of the list under `key` in a file of data/.
template <class F>
void each_of(const DataFiles& files, const char* path, const char* key, F&& read) {
  const std::string shown = files.shown_path(path);
  const Json json = parse_json(files.text(path), shown);
  const JsonReader root(json, shown);
  for (const JsonReader& entry : root.at(key).elements()) read(entry);
  root.finish();
}

template <class T>
const T& by_id(const std::vector<T>& all, std::string_view id, const char* what) {
  std::vector<std::string> ids;
  for (const T& one : all) {
    if (one.id == id) return one;
    ids.push_back(one.id);
  }
  throw InputError(InputError::Kind::usage, fmt::format("there is no {} \"{}\"", what, id),
                   fmt::format("one of: {}", fmt::join(ids, ", ")), {}, nearest_names(id, ids));
}

}  // namespace

SiteCatalog::SiteCatalog(const DataFiles& files) {
  const Sources sources(files);
  each_of(files, "sites/tariffs.json", "tariffs",
          [&](const JsonReader& e) { tariffs_.push_back(read_tariff(e, sources)); });
  each_of(files, "sites/circuits.json", "circuits",
          [&](const JsonReader& e) { circuits_.push_back(read_circuit(e, sources)); });
}

const Tariff& SiteCatalog::tariff(std::string_view id) const {
  return by_id(tariffs_, id, "tariff");
}
const Circuit& SiteCatalog::circuit(std::string_view id) const {
  return by_id(circuits_, id, "circuit");
}

const Tariff& SiteCatalog::tariff_of_country(std::string_view country, std::optional<Watts> load) const {
  std::vector<std::string> known;
  const Tariff* largest = nullptr;
  for (const Tariff& tariff : tariffs_) {
    if (known.empty() || known.back() != tariff.country) known.push_back(tariff.country);
    if (tariff.country != country) continue;
    if (!load || tariff.covers(*load)) return tariff;
    if (largest == nullptr || tariff.contract_max_kw > largest->contract_max_kw) largest = &tariff;
  }
  if (largest != nullptr)
    throw InputError(InputError::Kind::usage,
                     fmt::format("no electricity tariff of {} covers a load of {}: the largest contract, {}, "
                                 "is for {:g} kW and more{} (source {})",
                                 country, to_text(*load), largest->id, largest->contract_min_kw,
                                 std::isfinite(largest->contract_max_kw)
                                     ? fmt::format(", below {:g} kW", largest->contract_max_kw)
                                     : "",
                                 largest->source),
                     "--tariff with the one to bill by, or your own in sites/tariffs.json of --data");
  throw InputError(InputError::Kind::usage, fmt::format("there is no electricity tariff for \"{}\"", country),
                   fmt::format("one of: {}", fmt::join(known, ", ")), {}, nearest_names(country, known));
}

std::vector<const Circuit*> SiteCatalog::circuits_of(std::string_view country) const {
  std::vector<const Circuit*> out;
  for (const Circuit& circuit : circuits_) {
    if (country.empty() || circuit.country == country) out.push_back(&circuit);
  }
  return out;
}

}  // namespace roofplan::model
