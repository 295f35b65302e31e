#pragma once

#include "model/catalog/sources.hpp"
#include "model/hardware/figure.hpp"
#include "model/units/byte_count.hpp"
#include "model/units/quantity.hpp"

#include <map>
#include <string>
#include <string_view>

namespace roofplan::model {

class JsonReader;

/// What a figure's unit must be, where the dimension alone does not say enough.
enum class UnitForm {
  any,    ///< any unit of the right dimension
  bytes,  ///< counts bytes: a memory or link rate written in bits is refused
  bits,   ///< counts bits: a network port is sold in Gb/s, and "GB/s" there is an eightfold error
};

/// Reads {"value","unit","source","kind","date"?,"note"?,"low"?,"high"?,"alternatives"?} or
/// {"value":null,"reason"}. `Q` is a typed quantity. A negative value, a unit of another dimension, a
/// source missing in `sources`, a mark "sparse", an unknown key: InputError (content) at the JSON pointer.
template <class Q>
Figure<Q> read_figure(const JsonReader& entry, const Sources& sources, UnitForm form = UnitForm::any);

/// The same for memory sizes, rounded to whole bytes.
Figure<ByteCount> read_byte_figure(const JsonReader& entry, const Sources& sources);

/// The same for a plain number whose unit must be `unit` ("SM", "ports", "U", "fraction").
Figure<double> read_number_figure(const JsonReader& entry, const Sources& sources, std::string_view unit);

/// The same for a number in any unit of the grammar or of everyday facility work (kg, mm, C, CFM, ...).
Figure<double> read_other_figure(const JsonReader& entry, const Sources& sources);

/// Reads {"text","source","kind","date"?,"note"?} or {"text":null,"reason"}. Errors as read_figure.
SourcedText read_text_fact(const JsonReader& entry, const Sources& sources);

/// Reads the members "source", "kind", "date" and "note" of an entry. Errors as read_figure.
Provenance read_provenance(const JsonReader& entry, const Sources& sources);

/// The members of the key "other", and of the key "texts", by name; empty where the key is missing.
std::map<std::string, Figure<double>> read_other_figures(const JsonReader& entry, const Sources& sources);
std::map<std::string, SourcedText> read_text_facts(const JsonReader& entry, const Sources& sources);

/// The same for an amount of money: the unit is a currency's code, the kind price or estimate, and a known
/// amount carries its date.
Figure<double> read_price_figure(const JsonReader& entry, const Sources& sources);

/// "datasheet", "measured", "derived", "estimate" or "price".
std::string_view kind_name(Provenance::Kind kind);

}  // namespace roofplan::model
