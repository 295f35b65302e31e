#include "model/roofline/routing.hpp"

#include "model/catalog/figure_reader.hpp"
#include "model/json/json.hpp"

namespace roofplan::model {

namespace {

Figure<double> read_exponent(const JsonReader& entry, const Sources& sources) {
  Figure<double> figure = read_number_figure(entry, sources, "fraction");
  if (!figure.known() || *figure <= 0 || *figure > 1)
    entry.fail("an exponent of routing", "above 0, at most 1");
  return figure;
}

}  // namespace

RoutingExponents load_routing(const DataFiles& files, const Sources& sources) {
  const std::string path = "routing.json";
  const std::string file = files.shown_path(path);
  const Json json = parse_json(files.text(path), file);
  const JsonReader root(json, file);
  root.at("schema").as_word({"roofplan.routing"});
  root.at("schema_version").as_integer(1, 1);
  const JsonReader exponents = root.at("exponents");
  const RoutingExponents out{read_exponent(exponents.at("text"), sources),
                             read_exponent(exponents.at("random"), sources)};
  exponents.finish();
  root.finish();
  return out;
}

}  // namespace roofplan::model
