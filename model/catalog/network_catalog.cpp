#include "model/catalog/network_catalog.hpp"

#include "model/catalog/figure_reader.hpp"
#include "model/json/json.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace roofplan::model {
namespace {

const std::vector<std::string> kKinds{"switch", "nic", "transceiver", "cable"};

NetworkPart read_part(const JsonReader& entry, const Sources& sources) {
  NetworkPart out;
  out.id = entry.at("id").as_string();
  out.name = entry.at("name").as_string();
  const std::string kind = entry.at("kind").as_word(kKinds);
  out.kind = static_cast<NetworkPart::Kind>(std::find(kKinds.begin(), kKinds.end(), kind) - kKinds.begin());
  out.ports = read_number_figure(entry.at("ports"), sources, "ports");
  out.port_rate = read_figure<BytesPerSecond>(entry.at("port_rate"), sources, UnitForm::bits);
  out.power = read_figure<Watts>(entry.at("power"), sources);
  out.rack_units = read_number_figure(entry.at("rack_units"), sources, "U");
  out.other = read_other_figures(entry, sources);
  out.texts = read_text_facts(entry, sources);
  entry.finish();
  return out;
}

/// [units, leaf, spine] or [units, leaf, spine, core].
ScalableUnit::Stage read_stage(const JsonReader& entry) {
  const auto numbers = entry.elements();
  if (numbers.size() < 3 || numbers.size() > 4)
    entry.fail("a stage of another length", "[units, leaf, spine] or [units, leaf, spine, core]");
  ScalableUnit::Stage out;
  out.units = numbers[0].as_integer(1, 100000);
  out.leaf = numbers[1].as_integer(1, 100000);
  out.spine = numbers[2].as_integer(1, 100000);
  if (numbers.size() == 4) out.core = numbers[3].as_integer(1, 100000);
  return out;
}

void read_stages(const JsonReader& entry, const Sources& sources, ScalableUnit& out) {
  for (const JsonReader& stage : entry.at("stages").elements()) {
    out.stages.push_back(read_stage(stage));
    if (out.stages.size() > 1 && out.stages.back().units <= out.stages[out.stages.size() - 2].units)
      stage.fail("the stages are not in rising order", "more units than the stage before");
  }
  if (out.stages.empty()) return;
  const JsonReader source = entry.at("stages_source");
  out.stages_from.source = source.as_string();
  if (!sources.contains(out.stages_from.source))
    source.fail("this source is not in sources.json", {},
                nearest_names(out.stages_from.source, sources.ids()));
}

ScalableUnit read_unit(const JsonReader& entry, const Sources& sources) {
  ScalableUnit out;
  out.id = entry.at("id").as_string();
  out.name = entry.at("name").as_string();
  for (const JsonReader& system : entry.at("systems").elements()) out.systems.push_back(system.as_string());
  out.systems_per_unit = read_number_figure(entry.at("systems_per_unit"), sources, "count");
  if (const auto leaf = entry.find("leaf_switch")) out.leaf_switch = leaf->as_string();
  read_stages(entry, sources, out);
  out.other = read_other_figures(entry, sources);
  out.texts = read_text_facts(entry, sources);
  entry.finish();
  return out;
}

template <class T>
const T& by_id(const std::vector<T>& all, std::string_view id, std::string_view what) {
  const auto it = std::find_if(all.begin(), all.end(), [id](const T& one) { return one.id == id; });
  if (it != all.end()) return *it;
  std::vector<std::string> ids;
  for (const T& one : all) ids.push_back(one.id);
  throw InputError(InputError::Kind::usage, fmt::format("unknown {} \"{}\"", what, id),
                   fmt::format("one of: {}", fmt::join(ids, ", ")), {}, nearest_names(id, ids));
}

template <class T>
void refuse_duplicate(const std::vector<T>& all, const JsonReader& entry, const std::string& id) {
  const auto same = [&id](const T& one) { return one.id == id; };
  if (std::any_of(all.begin(), all.end(), same))
    entry.at("id").fail(fmt::format("the id \"{}\" is taken", id));
}

}  // namespace

NetworkCatalog::NetworkCatalog(const DataFiles& files, const Sources& sources) {
  read_parts(files, sources);
  read_units(files, sources);
}

void NetworkCatalog::read_parts(const DataFiles& files, const Sources& sources) {
  const std::string path = "network/parts.json";
  const Json document = parse_json(files.text(path), files.shown_path(path));
  const JsonReader root(document, files.shown_path(path));
  for (const JsonReader& entry : root.at("parts").elements()) {
    NetworkPart part = read_part(entry, sources);
    refuse_duplicate(parts_, entry, part.id);
    parts_.push_back(std::move(part));
  }
  root.finish();
}

void NetworkCatalog::read_units(const DataFiles& files, const Sources& sources) {
  const std::string path = "network/units.json";
  const Json document = parse_json(files.text(path), files.shown_path(path));
  const JsonReader root(document, files.shown_path(path));
  for (const JsonReader& entry : root.at("units").elements()) {
    ScalableUnit unit = read_unit(entry, sources);
    refuse_duplicate(units_, entry, unit.id);
    if (unit.leaf_switch) part(*unit.leaf_switch);
    units_.push_back(std::move(unit));
  }
  root.finish();
}

const NetworkPart& NetworkCatalog::part(std::string_view id) const {
  return by_id(parts_, id, "network part");
}

const ScalableUnit& NetworkCatalog::unit(std::string_view id) const {
  return by_id(units_, id, "scalable unit");
}

}  // namespace roofplan::model
