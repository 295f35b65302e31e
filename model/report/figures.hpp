#pragma once

#include "model/catalog/sources.hpp"
#include "model/hardware/figure.hpp"
#include "model/report/document.hpp"

#include <string>

namespace roofplan::model::report {

/// The figure divided by `unit` under `key`, with key_low and key_high where the sources support a range, and
/// null beside its reason where it is unknown.
template <class Q>
void add_figure(Value& object, const std::string& key, const Figure<Q>& figure, Q unit) {
  if (!figure.known()) {
    object.add(key, Value::unknown(as_is(figure.unknown_reason)));
    return;
  }
  object.add(key, *figure / unit);
  if (figure.low && figure.high)
    object.add(key + "_low", *figure.low / unit).add(key + "_high", *figure.high / unit);
}

/// The same for exact sizes.
void add_figure(Value& object, const std::string& key, const Figure<ByteCount>& figure);

/// Adds an entry of data/sources.json to the document, once.
void cite(Document& document, const Sources& sources, const std::string& id);

/// Adds the sources that the derivations name and that the table knows.
void cite_derivations(Document& document, const Sources& sources);

}  // namespace roofplan::model::report
