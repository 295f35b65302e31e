#include "model/catalog/exchange_catalog.hpp"

#include "model/catalog/figure_reader.hpp"
#include "model/json/json.hpp"

namespace roofplan::model {

std::vector<ExchangeRate> load_exchange_rates(const DataFiles& files, const Sources& sources) {
  const std::string path = "exchange.json";
  const std::string file = files.shown_path(path);
  const Json json = parse_json(files.text(path), file);
  const JsonReader root(json, file);
  root.at("schema").as_word({"roofplan.exchange"});
  root.at("schema_version").as_integer(1, 1);
  std::vector<ExchangeRate> out;
  for (const JsonReader& entry : root.at("rates").elements()) {
    const JsonReader rate = entry.at("rate");
    const Figure<double> figure = read_price_figure(rate, sources);
    if (!figure.known() || *figure <= 0) rate.fail("a rate of exchange", "a number above 0");
    out.push_back({Currency(entry.at("from").as_string()), Currency(entry.at("to").as_string()), *figure,
                   figure.provenance.date, figure.provenance.source});
    entry.finish();
  }
  root.finish();
  return out;
}

}  // namespace roofplan::model
