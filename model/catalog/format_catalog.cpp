#include "model/catalog/format_catalog.hpp"

#include "model/catalog/figure_reader.hpp"
#include "model/json/json.hpp"

#include <algorithm>
#include <array>

namespace roofplan::model {
namespace {

constexpr std::int64_t kMost = 1'000'000'000;
constexpr std::array<std::string_view, 7> kMixLayers{
    "all", "first_two", "first_four", "first_sixteenth", "first_eighth", "middle", "more_bits"};

template <class Words>
std::size_t word_index(const JsonReader& entry, const Words& words) {
  const std::string word = entry.as_word({words.begin(), words.end()});
  return static_cast<std::size_t>(std::find(words.begin(), words.end(), word) - words.begin());
}

bool flag(const JsonReader& entry, std::string_view key) {
  const auto member = entry.find(key);
  return member && member->as_bool();
}

TensorClass read_class(const JsonReader& entry) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < kTensorClasses; ++i) names.emplace_back(to_string(static_cast<TensorClass>(i)));
  return static_cast<TensorClass>(word_index(entry, names));
}

ScaleRule read_scale(const JsonReader& entry) {
  ScaleRule out;
  out.rows = entry.at("rows").as_integer(0, kMost);
  out.flattened = flag(entry, "flattened");
  out.cols = entry.at("cols").as_integer(out.flattened ? 1 : 0, kMost);
  out.bits = entry.at("bits").as_integer(1, 64);
  entry.finish();
  return out;
}

void read_layout(const JsonReader& entry, NumberFormat& out) {
  if (const auto block = entry.find("block")) {
    out.block_elements = block->at("elements").as_integer(1, kMost);
    out.block_bytes = block->at("bytes").as_integer(1, kMost);
    block->finish();
    out.fallback = entry.at("fallback").as_string();
    return;
  }
  out.element_bits = entry.at("element_bits").as_integer(1, 64);
  if (const auto scales = entry.find("scales"))
    for (const JsonReader& scale : scales->elements()) out.scales.push_back(read_scale(scale));
}

ComputeRule read_compute(const JsonReader& entry) {
  ComputeRule out;
  out.rate = entry.at("rate").as_string();
  if (const auto needs = entry.find("needs")) out.needs = needs->as_string();
  entry.finish();
  return out;
}

NumberFormat read_format(const JsonReader& entry, const Sources& sources) {
  NumberFormat out;
  out.id = entry.at("id").as_string();
  out.name = entry.at("name").as_string();
  read_layout(entry, out);
  out.bits_per_weight = read_number_figure(entry.at("bits_per_weight"), sources, "bit");
  if (const auto kept = entry.find("kept"))
    for (const JsonReader& kind : kept->elements()) out.kept.push_back(read_class(kind));
  for (const JsonReader& rule : entry.at("compute").elements()) out.compute.push_back(read_compute(rule));
  out.gguf = flag(entry, "gguf");
  out.for_cache = flag(entry, "cache");
  out.idealised = flag(entry, "idealised");
  entry.finish();
  return out;
}

std::int64_t optional_count(const JsonReader& entry, std::string_view key) {
  const auto member = entry.find(key);
  return member ? member->as_integer(1, kMost) : 0;
}

MixRule read_rule(const JsonReader& entry) {
  MixRule out;
  out.part = entry.at("part").as_word({"q", "k", "v", "attention_output", "gate", "up", "down"});
  if (const auto layers = entry.find("layers"))
    out.layers = static_cast<MixLayers>(word_index(*layers, kMixLayers));
  out.min_gqa = optional_count(entry, "min_gqa");
  out.experts = optional_count(entry, "experts");
  out.layer_count = optional_count(entry, "layer_count");
  if (const auto from = entry.find("from"))
    for (const JsonReader& id : from->elements()) out.from.push_back(id.as_string());
  out.format = entry.at("format").as_string();
  entry.finish();
  return out;
}

FormatMix read_mix(const JsonReader& entry, const Sources& sources) {
  FormatMix out;
  out.id = entry.at("id").as_string();
  out.name = entry.at("name").as_string();
  out.base = entry.at("base").as_string();
  out.embedding = entry.at("embedding").as_string();
  out.head = entry.at("head").as_string();
  if (const auto experts = entry.find("experts")) out.experts = experts->as_string();
  if (const auto checkpoint = entry.find("checkpoint")) out.checkpoint = checkpoint->as_string();
  if (const auto rules = entry.find("rules"))
    for (const JsonReader& rule : rules->elements()) out.rules.push_back(read_rule(rule));
  out.provenance = read_provenance(entry, sources);
  entry.finish();
  return out;
}

void check_names(const FormatTable& table, const JsonReader& root) {
  const auto known = [&table, &root](const std::string& id) {
    if (!id.empty() && table.format_if(id) == nullptr) root.fail("no format has the id '" + id + "'");
  };
  for (const NumberFormat& format : table.formats()) known(format.fallback);
  for (const FormatMix& mix : table.mixes()) {
    for (const std::string& id : {mix.base, mix.embedding, mix.head, mix.experts, mix.checkpoint}) known(id);
    for (const MixRule& rule : mix.rules) known(rule.format);
  }
}

template <class Entry>
void refuse_twice(const std::vector<Entry>& entries, const JsonReader& where) {
  for (auto it = entries.begin(); it != entries.end(); ++it)
    if (std::any_of(entries.begin(), it, [&it](const Entry& e) { return e.id == it->id; }))
      where.fail("the id '" + it->id + "' is given twice");
}

}  // namespace

FormatTable load_formats(const DataFiles& files, const Sources& sources) {
  constexpr std::string_view kPath = "formats.json";
  const Json document = parse_json(files.text(kPath), files.shown_path(kPath));
  const JsonReader root(document, files.shown_path(kPath));
  root.at("schema").as_word({"roofplan.formats"});
  root.at("schema_version").as_integer(1, 1);
  std::vector<NumberFormat> formats;
  for (const JsonReader& entry : root.at("formats").elements())
    formats.push_back(read_format(entry, sources));
  std::vector<FormatMix> mixes;
  for (const JsonReader& entry : root.at("mixes").elements()) mixes.push_back(read_mix(entry, sources));
  root.finish();
  refuse_twice(formats, root.at("formats"));
  refuse_twice(mixes, root.at("mixes"));
  FormatTable table(std::move(formats), std::move(mixes));
  check_names(table, root);
  return table;
}

}  // namespace roofplan::model
