#include "model/catalog/reliability_catalog.hpp"

#include "model/catalog/figure_reader.hpp"
#include "model/json/json.hpp"

namespace roofplan::model {
namespace {

/// Written as failures a year, as people speak of them.
Figure<PerSecond> read_rate(const JsonReader& entry, const Sources& sources) {
  const Figure<double> yearly = read_number_figure(entry, sources, "failures/year");
  if (!yearly.known()) entry.fail("the rate is unknown", "a number");
  const auto rate = [](double failures) { return failures / (8760.0 * unit::hour); };
  Figure<PerSecond> out;
  out.value = rate(*yearly);
  if (yearly.low) out.low = rate(*yearly.low);
  if (yearly.high) out.high = rate(*yearly.high);
  out.unit = yearly.unit;
  out.shown = yearly.shown;
  out.provenance = yearly.provenance;
  return out;
}

}  // namespace

FailureRates load_failure_rates(const DataFiles& files, const Sources& sources) {
  const std::string path = "reliability.json";
  const std::string file = files.shown_path(path);
  const Json json = parse_json(files.text(path), file);
  const JsonReader root(json, file);
  root.at("schema").as_word({"roofplan.reliability"});
  root.at("schema_version").as_integer(1, 1);
  FailureRates out;
  for (const auto& [id, entry] : root.at("failures_per_accelerator").members())
    out.per_accelerator.emplace(id, read_rate(entry, sources));
  const JsonReader repair = root.at("repair");
  out.repair = read_figure<Seconds>(repair, sources);
  if (!out.repair.known()) repair.fail("the time is unknown", "a number");
  root.finish();
  return out;
}

}  // namespace roofplan::model
