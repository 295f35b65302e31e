#include "model/catalog/engine_catalog.hpp"

#include "model/catalog/figure_reader.hpp"
#include "model/json/json.hpp"

#include <algorithm>
#include <array>

namespace roofplan::model {
namespace {

constexpr std::array<std::string_view, 4> kBudgets{"everything", "fraction-of-visible", "static-fraction",
                                                   "fraction-of-free"};
constexpr std::array<std::string_view, 3> kBuffers{"none", "profiled", "graph"};

/// The members of one "memory" object.
class MemoryReader {
 public:
  MemoryReader(const JsonReader& entry, const Sources& sources) : entry_(entry), sources_(sources) {}

  EngineMemory read() const {
    EngineMemory out;
    out.budget = static_cast<EngineMemory::Budget>(word("budget", kBudgets));
    out.compute_buffer = static_cast<EngineMemory::ComputeBuffer>(word("compute_buffer", kBuffers));
    out.fraction = number("fraction", "fraction");
    read_flags(out);
    out.splits = words("splits");
    out.offers = words("offers");
    out.small_families = entry_.has("small_families") ? words("small_families") : std::vector<std::string>{};
    out.block_tokens = number("block_tokens", "tokens");
    if (entry_.has("large_device")) out.large_device = bytes(entry_, "large_device");
    out.chunk_tokens = device_default("chunk_tokens", "tokens");
    out.max_batch = device_default("max_batch", "sequences");
    out.logit_bytes = number("logit_bytes", "B");
    out.graph_max_batch = number("graph_max_batch", "sequences");
    read_amounts(out);
    if (const auto reserve = entry_.find("static_reserve")) out.static_reserve = static_reserve(*reserve);
    return out;
  }

 private:
  template <class Words>
  std::size_t word(std::string_view key, const Words& choices) const {
    const std::string found = entry_.at(key).as_word({choices.begin(), choices.end()});
    return static_cast<std::size_t>(std::find(choices.begin(), choices.end(), found) - choices.begin());
  }
  std::vector<std::string> words(std::string_view key) const {
    std::vector<std::string> out;
    for (const JsonReader& element : entry_.at(key).elements()) out.push_back(element.as_string());
    return out;
  }
  bool flag(std::string_view key, bool usual) const {
    const auto member = entry_.find(key);
    return member ? member->as_bool() : usual;
  }
  Figure<double> number(std::string_view key, std::string_view unit) const {
    return read_number_figure(entry_.at(key), sources_, unit);
  }
  Figure<ByteCount> bytes(const JsonReader& from, std::string_view key) const {
    return read_byte_figure(from.at(key), sources_);
  }
  DeviceDefault device_default(std::string_view key, std::string_view unit) const {
    const JsonReader entry = entry_.at(key);
    DeviceDefault out;
    out.usual = read_number_figure(entry.at("default"), sources_, unit);
    if (const auto large = entry.find("large")) out.large = read_number_figure(*large, sources_, unit);
    if (const auto unified = entry.find("unified"))
      out.unified = read_number_figure(*unified, sources_, unit);
    entry.finish();
    return out;
  }
  StaticReserve static_reserve(const JsonReader& entry) const {
    const StaticReserve out{
        bytes(entry, "constant"), bytes(entry, "per_chunk_token"), bytes(entry, "per_graph_sequence"),
        bytes(entry, "per_rank"), bytes(entry, "floor"),           bytes(entry, "floor_from")};
    entry.finish();
    return out;
  }
  void read_flags(EngineMemory& out) const {
    out.graphs_in_budget = flag("graphs_in_budget", true);
    out.hybrid_cache = flag("hybrid_cache", true);
    out.pools_cache = flag("pools_cache", false);
    out.loads_vision = flag("loads_vision", false);
    out.embedding_on_host = flag("embedding_on_host", false);
    out.gguf = flag("gguf", false);
  }
  void read_amounts(EngineMemory& out) const {
    out.graph_bytes = bytes(entry_, "graph_bytes");
    out.context = bytes(entry_, "context");
    out.libraries = bytes(entry_, "libraries");
    out.hidden = bytes(entry_, "hidden");
    out.comm_per_rank = bytes(entry_, "comm_per_rank");
    out.attention_workspace = bytes(entry_, "attention_workspace");
    out.margin = bytes(entry_, "margin");
  }

  const JsonReader& entry_;
  const Sources& sources_;
};

EngineTable::Older read_older(const JsonReader& entry, const Sources& sources) {
  EngineTable::Older out;
  out.before = entry.at("before").as_string();
  if (const auto fraction = entry.find("fraction"))
    out.fraction = read_number_figure(*fraction, sources, "fraction");
  if (const auto graphs = entry.find("graphs_in_budget")) out.graphs_in_budget = graphs->as_bool();
  entry.finish();
  return out;
}

std::vector<std::string> read_platforms(const JsonReader& entry, const Sources& sources) {
  std::vector<std::string> out;
  for (const JsonReader& one : entry.at("words").elements())
    out.push_back(one.as_word({"cuda", "rocm", "metal"}));
  read_provenance(entry, sources);
  entry.finish();
  return out;
}

EngineTable::Entry read_engine(const JsonReader& root, const Sources& sources) {
  root.at("schema").as_word({"roofplan.engine"});
  root.at("schema_version").as_integer(1, 1);
  EngineTable::Entry out;
  out.profile.id = root.at("id").as_string();
  out.profile.name = root.at("name").as_string();
  if (const auto aliases = root.find("aliases"))
    for (const JsonReader& alias : aliases->elements()) out.profile.aliases.push_back(alias.as_string());
  if (const auto platforms = root.find("platforms"))
    out.profile.platforms = read_platforms(*platforms, sources);
  const JsonReader memory = root.at("memory");
  out.profile.memory = MemoryReader(memory, sources).read();
  if (const auto older = memory.find("older"))
    for (const JsonReader& entry : older->elements()) out.older.push_back(read_older(entry, sources));
  memory.finish();
  root.ignore("speed");
  root.finish();
  return out;
}

}  // namespace

EngineTable load_engines(const DataFiles& files, const Sources& sources) {
  std::vector<EngineTable::Entry> entries;
  for (const std::string& path : files.in_folder("engines")) {
    const Json document = parse_json(files.text(path), files.shown_path(path));
    entries.push_back(read_engine(JsonReader(document, files.shown_path(path)), sources));
  }
  return EngineTable(std::move(entries));
}

}  // namespace roofplan::model
