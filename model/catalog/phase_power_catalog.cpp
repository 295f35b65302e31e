#include "model/catalog/phase_power_catalog.hpp"

#include "model/catalog/figure_reader.hpp"
#include "model/json/json.hpp"

namespace roofplan::model {
namespace {

Figure<double> read_share(const JsonReader& entry, const Sources& sources) {
  Figure<double> figure = read_number_figure(entry, sources, "fraction");
  if (!figure.known() || *figure <= 0 || *figure > 1) entry.fail("a share of power", "above 0, at most 1");
  return figure;
}

}  // namespace

PhasePower load_phase_power(const DataFiles& files, const Sources& sources) {
  const std::string path = "power.json";
  const std::string file = files.shown_path(path);
  const Json json = parse_json(files.text(path), file);
  const JsonReader root(json, file);
  root.at("schema").as_word({"roofplan.power"});
  root.at("schema_version").as_integer(1, 1);
  const JsonReader of_tdp = root.at("of_tdp");
  PhasePower out{read_share(of_tdp.at("idle"), sources),
                 read_share(of_tdp.at("decode"), sources),
                 read_share(of_tdp.at("prefill"), sources),
                 read_share(root.at("idle_of_typical"), sources),
                 {}};
  const JsonReader cap = root.at("cap");
  out.cap = {read_share(cap.at("static_of_tdp"), sources), read_share(cap.at("memory_knee"), sources),
             read_share(cap.at("spread"), sources)};
  cap.finish();
  of_tdp.finish();
  root.finish();
  return out;
}

}  // namespace roofplan::model
