#include "model/catalog/figure_reader.hpp"

#include "model/cost/money.hpp"
#include "model/json/json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

namespace roofplan::model {
namespace {

constexpr std::array<std::string_view, 5> kKinds{"datasheet", "measured", "derived", "estimate", "price"};

// Units of facts that no formula mixes with others, so they need no dimension.
constexpr std::array<std::string_view, 26> kPlainUnits{
    "kg",    "mm",  "C",     "CFM",  "BTU/h",   "psi",   "U",     "count",   "fraction",
    "dBA",   "MHz", "VA",    "kVA",  "A",       "V",     "MT/s",  "Texp/s",  "cores",
    "ports", "SM",  "nodes", "kg/L", "kJ/kg/K", "W/m/K", "mPa.s", "L/min/kW"};

/// Number and unit of one entry turned into the figure's own type; throws InputError on a wrong unit.
template <class T>
using Convert = std::function<T(double, const std::string&)>;

std::string optional_text(const JsonReader& entry, std::string_view key) {
  const auto member = entry.find(key);
  return member ? member->as_string() : std::string();
}

void refuse_sparse(const JsonReader& entry) {
  if (entry.has("sparse") || optional_text(entry, "unit").find("sparse") != std::string::npos) {
    entry.fail("a rate with structured sparsity is no rate of this catalogue",
               "the dense rate; a sparse one belongs under \"other\" with \"sparse\" in its name");
  }
}

std::string read_reason(const JsonReader& entry, std::string_view value_key) {
  const JsonReader reason = entry.at("reason");
  entry.ignore(value_key);
  entry.finish();
  if (reason.as_string().empty()) reason.fail("the reason is empty", "why the value is unknown");
  return reason.as_string();
}

template <class T>
T convert_at(const JsonReader& entry, std::string_view key, const std::string& unit,
             const Convert<T>& convert) {
  const JsonReader number = entry.at(key);
  const double value = number.as_number();
  if (value < 0) number.fail(fmt::format("{} is negative", value), "a number of at least 0");
  try {
    return convert(value, unit);
  } catch (const InputError& e) {
    throw e.as(InputError::Kind::content).at(entry.at("unit").where());
  }
}

template <class T>
Alternative read_alternative(const JsonReader& entry, const Sources& sources, const Convert<T>& convert) {
  refuse_sparse(entry);
  Alternative out;
  out.unit = entry.at("unit").as_string();
  convert_at<T>(entry, "value", out.unit, convert);
  out.value = entry.at("value").as_number();
  out.provenance = read_provenance(entry, sources);
  entry.finish();
  return out;
}

template <class T>
void read_range(const JsonReader& entry, const Convert<T>& convert, Figure<T>& out) {
  if (!entry.has("low") && !entry.has("high")) return;
  out.low = convert_at<T>(entry, "low", out.unit, convert);
  out.high = convert_at<T>(entry, "high", out.unit, convert);
  if (*out.low > *out.value || *out.value > *out.high) {
    entry.fail("the value lies outside its own range", "low <= value <= high");
  }
}

template <class T>
Figure<T> read_any(const JsonReader& entry, const Sources& sources, const Convert<T>& convert) {
  Figure<T> out;
  if (!entry.is_object()) entry.fail("a figure needs its unit and its source", "an object with \"value\"");
  if (!entry.has("value")) {
    out.unknown_reason = read_reason(entry, "value");
    return out;
  }
  refuse_sparse(entry);
  out.unit = entry.at("unit").as_string();
  out.value = convert_at<T>(entry, "value", out.unit, convert);
  out.shown = entry.at("value").as_number();
  out.provenance = read_provenance(entry, sources);
  read_range(entry, convert, out);
  if (const auto others = entry.find("alternatives")) {
    for (const JsonReader& other : others->elements())
      out.alternatives.push_back(read_alternative<T>(other, sources, convert));
  }
  entry.finish();
  return out;
}

bool counts_bits(const std::string& unit) {
  const std::string_view amount = std::string_view(unit).substr(0, unit.find('/'));
  return amount.ends_with("b") || amount.ends_with("bit");
}

void check_form(const std::string& unit, UnitForm form) {
  if (form == UnitForm::any || counts_bits(unit) == (form == UnitForm::bits)) return;
  const bool bits = form == UnitForm::bits;
  throw InputError(InputError::Kind::content, fmt::format("\"{}\" counts {}", unit, bits ? "bytes" : "bits"),
                   bits ? "a unit in bits, such as Gb/s" : "a unit in bytes, such as GB/s");
}

double plain_number(double value, const std::string& unit) {
  if (std::find(kPlainUnits.begin(), kPlainUnits.end(), unit) == kPlainUnits.end()) parse_unit(unit);
  return value;
}

}  // namespace

Provenance read_provenance(const JsonReader& entry, const Sources& sources) {
  Provenance out;
  const JsonReader source = entry.at("source");
  out.source = source.as_string();
  if (!sources.contains(out.source)) {
    source.fail(fmt::format("unknown source \"{}\"", out.source), "an id of data/sources.json",
                nearest_names(out.source, sources.ids()));
  }
  const std::string kind = entry.at("kind").as_word({kKinds.begin(), kKinds.end()});
  out.kind = static_cast<Provenance::Kind>(std::find(kKinds.begin(), kKinds.end(), kind) - kKinds.begin());
  out.date = optional_text(entry, "date");
  out.note = optional_text(entry, "note");
  return out;
}

template <class Q>
Figure<Q> read_figure(const JsonReader& entry, const Sources& sources, UnitForm form) {
  return read_any<Q>(entry, sources, [form](double value, const std::string& unit) {
    check_form(unit, form);
    return quantity_in<Q>(value, unit);
  });
}

template Figure<BytesPerSecond> read_figure(const JsonReader&, const Sources&, UnitForm);
template Figure<FlopPerSecond> read_figure(const JsonReader&, const Sources&, UnitForm);
template Figure<Watts> read_figure(const JsonReader&, const Sources&, UnitForm);
template Figure<Seconds> read_figure(const JsonReader&, const Sources&, UnitForm);

Figure<ByteCount> read_byte_figure(const JsonReader& entry, const Sources& sources) {
  return read_any<ByteCount>(entry, sources, [](double value, const std::string& unit) {
    check_form(unit, UnitForm::bytes);
    return ceil_bytes(Bytes::from_base(std::round(quantity_in<Bytes>(value, unit) / unit::B)));
  });
}

Figure<double> read_number_figure(const JsonReader& entry, const Sources& sources, std::string_view unit) {
  return read_any<double>(entry, sources, [unit](double value, const std::string& written) {
    if (written != unit) {
      throw InputError(InputError::Kind::content,
                       fmt::format("the unit \"{}\" does not belong here", written),
                       fmt::format("\"{}\"", unit));
    }
    return value;
  });
}

Figure<double> read_other_figure(const JsonReader& entry, const Sources& sources) {
  return read_any<double>(entry, sources, plain_number);
}

SourcedText read_text_fact(const JsonReader& entry, const Sources& sources) {
  SourcedText out;
  if (!entry.is_object()) entry.fail("a fact needs its source", "an object with \"text\"");
  if (!entry.has("text")) {
    out.unknown_reason = read_reason(entry, "text");
    return out;
  }
  out.text = entry.at("text").as_string();
  out.provenance = read_provenance(entry, sources);
  entry.finish();
  return out;
}

std::map<std::string, Figure<double>> read_other_figures(const JsonReader& entry, const Sources& sources) {
  std::map<std::string, Figure<double>> out;
  if (const auto others = entry.find("other")) {
    for (const auto& [name, figure] : others->members())
      out.emplace(name, read_other_figure(figure, sources));
  }
  return out;
}

std::map<std::string, SourcedText> read_text_facts(const JsonReader& entry, const Sources& sources) {
  std::map<std::string, SourcedText> out;
  if (const auto texts = entry.find("texts")) {
    for (const auto& [name, fact] : texts->members()) out.emplace(name, read_text_fact(fact, sources));
  }
  return out;
}

Figure<double> read_price_figure(const JsonReader& entry, const Sources& sources) {
  const auto amount = [](double value, const std::string& currency) {
    Currency{currency};
    return value;
  };
  auto out = read_any<double>(entry, sources, amount);
  if (!out.known()) return out;
  const Provenance& from = out.provenance;
  if (from.kind != Provenance::Kind::price && from.kind != Provenance::Kind::estimate)
    entry.at("kind").fail("an amount of money is a price or an estimate", "price or estimate");
  if (from.date.empty()) entry.fail("a price without a date", "a \"date\"");
  return out;
}

std::string_view kind_name(Provenance::Kind kind) {
  return kKinds[static_cast<std::size_t>(kind)];
}

}  // namespace roofplan::model
