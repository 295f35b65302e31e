#include "model/roofline/efficiency.hpp"

#include "model/catalog/figure_reader.hpp"
#include "model/json/json.hpp"

#include <algorithm>

namespace roofplan::model {

namespace {

Figure<double> read_fraction(const JsonReader& entry, const Sources& sources) {
  Figure<double> figure = read_number_figure(entry, sources, "fraction");
  if (!figure.known() || *figure <= 0 || *figure > 1) entry.fail("a share of a datasheet rate", "0 to 1");
  return figure;
}

double read_overlap(const JsonReader& part, const Sources& sources) {
  const auto entry = part.find("overlap");
  if (!entry) return 1;
  const Figure<double> figure = read_number_figure(*entry, sources, "fraction");
  if (!figure.known() || *figure < 0 || *figure > 1) entry->fail("a share of overlap", "0 to 1");
  return *figure;
}

Figure<Seconds> read_time(const JsonReader& entry, const Sources& sources) {
  Figure<Seconds> figure = read_figure<Seconds>(entry, sources);
  if (!figure.known()) entry.fail("the time is unknown", "a number");
  return figure;
}

template <class Read>
auto read_by_rate(const JsonReader& object, const Sources& sources, Read read) {
  std::map<std::string, decltype(read(object, sources))> out;
  for (const auto& [rate, entry] : object.members()) out.emplace(rate, read(entry, sources));
  if (!out.contains("bf16")) object.fail("the 16-bit rate is missing", "\"bf16\"");
  return out;
}

std::vector<std::string> read_names(const JsonReader& list) {
  std::vector<std::string> out;
  for (const JsonReader& entry : list.elements()) out.push_back(entry.as_string());
  return out;
}

ChipEfficiency read_efficiency(const JsonReader& root, const Sources& sources) {
  ChipEfficiency e;
  e.id = root.at("id").as_string();
  e.families = read_names(root.at("families"));
  e.chips = read_names(root.at("chips"));
  const JsonReader gemm = root.at("gemm");
  e.gemm.memory = read_fraction(gemm.at("memory"), sources);
  e.gemm.overlap = read_overlap(gemm, sources);
  e.gemm.compute = read_by_rate(gemm.at("compute"), sources, read_fraction);
  e.gemm.launch = read_by_rate(gemm.at("launch"), sources, read_time);
  gemm.finish();
  const JsonReader attention = root.at("attention");
  e.attention.compute = read_fraction(attention.at("compute"), sources);
  e.attention.memory = read_fraction(attention.at("memory"), sources);
  e.attention.overlap = read_overlap(attention, sources);
  e.attention.launch_decode = read_time(attention.at("launch_decode"), sources);
  e.attention.launch_prefill = read_time(attention.at("launch_prefill"), sources);
  attention.finish();
  const JsonReader experts = root.at("experts");
  e.experts.memory = read_fraction(experts.at("memory"), sources);
  e.experts.overlap = read_overlap(experts, sources);
  e.experts.compute = read_by_rate(experts.at("compute"), sources, read_fraction);
  e.experts.launch = read_time(experts.at("launch"), sources);
  experts.finish();
  const JsonReader elementwise = root.at("elementwise");
  e.elementwise_launch = read_time(elementwise.at("launch"), sources);
  elementwise.finish();
  root.finish();
  return e;
}

bool holds(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

bool ChipEfficiency::measured_on(const Chip& chip) const {
  return holds(chips, chip.id);
}

EfficiencyCatalog::EfficiencyCatalog(const DataFiles& files, const Sources& sources) {
  for (const std::string& path : files.in_folder("efficiencies")) {
    const std::string file = files.shown_path(path);
    const Json json = parse_json(files.text(path), file);
    entries_.push_back(read_efficiency(JsonReader(json, file), sources));
  }
}

const ChipEfficiency* EfficiencyCatalog::find(const Chip& chip) const {
  for (const ChipEfficiency& e : entries_)
    if (e.measured_on(chip)) return &e;
  for (const ChipEfficiency& e : entries_)
    if (holds(e.families, chip.family)) return &e;
  return nullptr;
}

const ChipEfficiency& EfficiencyCatalog::of(const Chip& chip) const {
  if (const ChipEfficiency* own = find(chip)) return *own;
  if (entries_.empty()) throw InputError(InputError::Kind::missing, "no efficiencies in data/efficiencies");
  return *std::min_element(entries_.begin(), entries_.end(), [](const auto& a, const auto& b) {
    return *a.gemm.compute.at("bf16") < *b.gemm.compute.at("bf16");
  });
}

}  // namespace roofplan::model
