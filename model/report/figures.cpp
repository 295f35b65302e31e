#include "model/report/figures.hpp"

#include <algorithm>

namespace roofplan::model::report {

void add_figure(Value& object, const std::string& key, const Figure<ByteCount>& figure) {
  if (!figure.known()) {
    object.add(key, Value::unknown(as_is(figure.unknown_reason)));
    return;
  }
  object.add(key, *figure);
  if (figure.low && figure.high) object.add(key + "_low", *figure.low).add(key + "_high", *figure.high);
}

void cite(Document& document, const Sources& sources, const std::string& id) {
  const auto same = [&](const Source& source) { return source.id == id; };
  if (id.empty() || std::any_of(document.sources.begin(), document.sources.end(), same)) return;
  const model::Source& source = sources.at(id);
  std::string where = source.url;
  if (where.empty() && !source.repo.empty()) where = source.repo + ": " + source.path;
  if (where.empty()) where = source.unlocated;
  std::string tier(tier_name(source.tier));
  std::replace(tier.begin(), tier.end(), '-', '_');
  document.sources.push_back({id, source.title, where, source.date_read, Text("report.tier_" + tier)});
}

void cite_derivations(Document& document, const Sources& sources) {
  for (const Derivation& derivation : document.derivations) {
    for (const Derivation::Input& input : derivation.inputs) {
      if (sources.contains(input.source)) cite(document, sources, input.source);
    }
  }
}

}  // namespace roofplan::model::report
