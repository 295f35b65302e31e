#include "model/calibration/calibration_file.hpp"
#include "model/json/embedded.hpp"
#include "model/json/json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace roofplan::model {
namespace {

constexpr std::string_view kSchema = "roofplan.calibration";
constexpr std::string_view kUndetermined = "undetermined";
constexpr const char* kValueForm = "[value, unit, relative standard deviation or \"undetermined\"]";

std::string text_or_empty(const JsonReader& reader, std::string_view key) {
  const auto found = reader.find(key);
  return found ? found->as_string() : std::string();
}

double number_or(const JsonReader& reader, std::string_view key, double otherwise) {
  const auto found = reader.find(key);
  return found ? found->as_number() : otherwise;
}

CalibratedDevice read_device(const JsonReader& reader) {
  CalibratedDevice device;
  device.system = reader.at("system").as_string();
  device.name = text_or_empty(reader, "name");
  if (const auto n = reader.find("accelerators"))
    device.accelerators = static_cast<int>(n->as_integer(1, 1'000'000));
  device.driver = text_or_empty(reader, "driver");
  device.software = text_or_empty(reader, "software");
  device.date = text_or_empty(reader, "date");
  device.kind = text_or_empty(reader, "kind");
  if (!device.kind.empty()) reader.at("kind").as_word({"cpu", "cuda"});
  device.compute_capability = text_or_empty(reader, "compute_capability");
  device.fingerprint = text_or_empty(reader, "fingerprint");
  if (const auto n = reader.find("units")) device.units = static_cast<int>(n->as_integer(0, 1'000'000));
  if (const auto unified = reader.find("unified_memory")) device.unified_memory = unified->as_bool();
  if (const auto n = reader.find("memory_bytes")) device.memory = ByteCount(n->as_integer(0));
  if (const auto n = reader.find("cache_bytes")) device.cache = ByteCount(n->as_integer(0));
  reader.finish();
  return device;
}

std::vector<std::pair<std::string, std::string>> read_pairs(const std::optional<JsonReader>& reader) {
  std::vector<std::pair<std::string, std::string>> out;
  if (!reader) return out;
  for (const auto& [name, value] : reader->members()) {
    out.emplace_back(name, value.is_string() ? value.as_string() : value.value().dump());
  }
  return out;
}

/// `[value, unit, relative_std]`, with "undetermined" in place of the deviation where the points do not
/// determine it: short, since a catalogue calibration holds hundreds.
CalibratedValue read_value(const std::string& name, const JsonReader& reader) {
  const auto parts = reader.elements();
  if (parts.size() != 3) reader.fail("a calibrated value has 3 parts", kValueForm);
  CalibratedValue value{.name = name, .value = parts[0].as_number(), .unit = parts[1].as_string()};
  if (value.unit != "1") {
    try {
      parse_unit(value.unit);
    } catch (const InputError& e) {
      throw e.as(InputError::Kind::content).at(parts[1].where());
    }
  }
  value.determined = !parts[2].is_string();
  if (value.determined) {
    value.relative_std = parts[2].as_number();
  } else {
    parts[2].as_word({std::string(kUndetermined)});
  }
  return value;
}

CalibratedLaw read_law(const std::string& name, const JsonReader& reader) {
  CalibratedLaw law{.law = name};
  for (const auto& [key, value] : reader.at("values").members()) law.values.push_back(read_value(key, value));
  law.choices = read_pairs(reader.find("choices"));
  reader.finish();
  return law;
}

/// `[n, median, mean and 90th percentile of the absolute errors, bias]`.
ErrorStatistics read_statistics(const JsonReader& reader) {
  const auto parts = reader.elements();
  if (parts.size() != 5) reader.fail("residuals have 5 parts", "[n, median_ape, mean_ape, p90_ape, bias]");
  return {static_cast<std::size_t>(parts[0].as_integer(0)), parts[1].as_number(), parts[2].as_number(),
          parts[3].as_number(), parts[4].as_number()};
}

ProbeResult read_probe(const JsonReader& reader) {
  ProbeResult probe{.name = reader.at("name").as_string()};
  probe.params = read_pairs(reader.find("params"));
  probe.value = reader.at("value").as_number();
  probe.unit = reader.at("unit").as_string();
  probe.median = number_or(reader, "median", probe.value);
  probe.p10 = number_or(reader, "p10", probe.value);
  probe.p90 = number_or(reader, "p90", probe.value);
  probe.n = static_cast<int>(number_or(reader, "n", 1));
  reader.finish();
  return probe;
}

template <class Read>
auto read_list(const JsonReader& reader, std::string_view key, Read read) {
  std::vector<decltype(read(reader))> out;
  if (const auto list = reader.find(key)) {
    for (const JsonReader& element : list->elements()) out.push_back(read(element));
  }
  return out;
}

ReplayPart read_part(const JsonReader& reader) {
  ReplayPart part{.op = reader.at("op").as_string()};
  part.predicted_s = reader.at("predicted_s").as_number();
  part.measured_s = reader.at("measured_s").as_number();
  reader.finish();
  return part;
}

ReplayResult read_replay(const JsonReader& reader) {
  ReplayResult replay{.model = reader.at("model").as_string()};
  replay.batch = static_cast<int>(reader.at("batch").as_integer(1, 1'000'000));
  replay.depth = reader.at("depth").as_integer(0);
  if (const auto n = reader.find("layers")) replay.layers = static_cast<int>(n->as_integer(0, 100'000));
  if (const auto n = reader.find("devices")) replay.devices = static_cast<int>(n->as_integer(1, 100'000));
  replay.predicted_s = reader.at("predicted_s").as_number();
  replay.measured_s = reader.at("measured_s").as_number();
  if (!(replay.measured_s > 0)) reader.at("measured_s").fail("no time", "above zero");
  replay.parts = read_list(reader, "parts", read_part);
  reader.finish();
  return replay;
}

CalibrationVerdict read_verdict(const JsonReader& reader) {
  CalibrationVerdict verdict{.name = reader.at("name").as_string()};
  verdict.measured = reader.at("measured").as_number();
  verdict.reason = text_or_empty(reader, "datasheet_reason");
  if (const auto datasheet = reader.find("datasheet")) verdict.datasheet = datasheet->as_number();
  if (const auto reached = reader.find("reached")) verdict.reached = reached->as_bool();
  text_or_empty(reader, "reached_reason");
  reader.finish();
  return verdict;
}

/// Six significant digits are far finer than any measurement, and keep the files small.
double rounded(double value) {
  return std::stod(fmt::format("{:.6g}", value));
}

/// A fitted value is known to a per cent or so.
double rounded_fit(double value) {
  return std::stod(fmt::format("{:.4g}", value));
}

Json pairs_json(const std::vector<std::pair<std::string, std::string>>& pairs) {
  Json out = Json::object();
  for (const auto& [name, value] : pairs) out[name] = value;
  return out;
}

Json device_json(const CalibratedDevice& device) {
  Json out{{"system", device.system}, {"name", device.name}, {"accelerators", device.accelerators}};
  if (!device.driver.empty()) out["driver"] = device.driver;
  if (!device.software.empty()) out["software"] = device.software;
  if (!device.date.empty()) out["date"] = device.date;
  if (!device.measured_here()) return out;
  out["kind"] = device.kind;
  if (!device.compute_capability.empty()) out["compute_capability"] = device.compute_capability;
  out["fingerprint"] = device.fingerprint;
  out["units"] = device.units;
  out["unified_memory"] = device.unified_memory;
  out["memory_bytes"] = device.memory.count();
  out["cache_bytes"] = device.cache.count();
  return out;
}

Json law_json(const CalibratedLaw& law) {
  Json values = Json::object();
  for (const CalibratedValue& v : law.values) {
    Json& value = values[v.name] = Json::array({rounded_fit(v.value), v.unit});
    if (v.determined) {
      value.push_back(std::stod(fmt::format("{:.2g}", v.relative_std)));
    } else {
      value.push_back(kUndetermined);
    }
  }
  Json out{{"values", values}};
  if (!law.choices.empty()) out["choices"] = pairs_json(law.choices);
  return out;
}

Json statistics_json(const ErrorStatistics& s) {
  const auto three = [](double value) { return std::stod(fmt::format("{:.3g}", value)); };
  return Json::array({s.n, three(s.median_ape), three(s.mean_ape), three(s.p90_ape), three(s.bias)});
}

Json probe_json(const ProbeResult& p) {
  return {{"name", p.name},
          {"params", pairs_json(p.params)},
          {"value", rounded(p.value)},
          {"unit", p.unit},
          {"median", rounded(p.median)},
          {"p10", rounded(p.p10)},
          {"p90", rounded(p.p90)},
          {"n", p.n}};
}

Json replay_json(const ReplayResult& r) {
  Json out{{"model", r.model}, {"batch", r.batch}, {"depth", r.depth}};
  if (r.layers > 0) out["layers"] = r.layers;
  if (r.devices > 1) out["devices"] = r.devices;
  out["predicted_s"] = rounded(r.predicted_s);
  out["measured_s"] = rounded(r.measured_s);
  for (const ReplayPart& part : r.parts) {
    out["parts"].push_back({{"op", part.op},
                            {"predicted_s", rounded(part.predicted_s)},
                            {"measured_s", rounded(part.measured_s)}});
  }
  return out;
}

Json verdict_json(const CalibrationVerdict& v) {
  Json out{{"name", v.name}, {"measured", rounded(v.measured)}, {"datasheet", nullptr}};
  if (v.datasheet) {
    out["datasheet"] = rounded(*v.datasheet);
  } else {
    out["datasheet_reason"] = v.reason;
  }
  out["reached"] = nullptr;
  if (v.reached) {
    out["reached"] = *v.reached;
  } else {
    out["reached_reason"] = v.reason;
  }
  return out;
}

/// `"key": {` or `[`, a line per item, the closing bracket.
std::string block(std::string_view key, const std::vector<std::string>& lines, char open, char close) {
  return fmt::format(" \"{}\": {}{}{}{}", key, open, lines.empty() ? "" : "\n  ", fmt::join(lines, ",\n  "),
                     close);
}

template <class List, class Write>
std::string list_block(std::string_view key, const List& list, Write write) {
  std::vector<std::string> lines;
  for (const auto& item : list) lines.push_back(write(item).dump());
  return block(key, lines, '[', ']');
}

}  // namespace

Calibration parse_calibration(std::string_view text, const std::string& file) {
  const Json document = parse_json(text, file);
  const JsonReader root(document, file);
  root.at("schema").as_word({std::string(kSchema)});
  root.at("schema_version").as_integer(1, 1);
  for (const char* key : {"tool", "inputs", "warnings"}) root.ignore(key);
  Calibration out;
  if (const auto sources = root.find("sources")) {
    // {"source": id} in files, whole entries in the document of a verb.
    for (const auto& source : sources->elements()) {
      out.sources.push_back(source.at(source.has("source") ? "source" : "id").as_string());
    }
  }
  const JsonReader result = root.at("result");
  out.device = read_device(result.at("device"));
  out.probes = read_list(result, "probes", read_probe);
  for (const auto& [name, law] : result.at("fit").members()) out.fit.push_back(read_law(name, law));
  if (const auto residuals = result.find("residuals")) {
    for (const auto& [name, statistics] : residuals->members()) {
      const auto law =
          std::find_if(out.fit.begin(), out.fit.end(), [&](const auto& l) { return l.law == name; });
      if (law == out.fit.end()) statistics.fail("residuals of a law that is not in fit");
      law->residuals = read_statistics(statistics);
    }
  }
  if (const auto notes = result.find("notes")) {
    for (const auto& note : notes->elements()) out.notes.push_back(note.as_string());
  }
  out.replay = read_list(result, "replay", read_replay);
  out.verdict = read_list(result, "verdict", read_verdict);
  result.finish();
  root.finish();
  return out;
}

Calibration read_calibration(const std::string& path) {
  return parse_calibration(read_text_file(path), path);
}

std::string calibration_text(const Calibration& calibration) {
  std::vector<std::string> laws, residuals;
  for (const CalibratedLaw& law : calibration.fit) {
    laws.push_back(fmt::format("{}: {}", Json(law.law).dump(), law_json(law).dump()));
    if (law.residuals.n > 0) {
      residuals.push_back(fmt::format("{}: {}", Json(law.law).dump(), statistics_json(law.residuals).dump()));
    }
  }
  const std::vector<std::string> parts{fmt::format(" \"device\": {}", device_json(calibration.device).dump()),
                                       list_block("probes", calibration.probes, probe_json),
                                       block("fit", laws, '{', '}'),
                                       block("residuals", residuals, '{', '}'),
                                       list_block("replay", calibration.replay, replay_json),
                                       list_block("verdict", calibration.verdict, verdict_json),
                                       fmt::format(" \"notes\": {}", Json(calibration.notes).dump())};
  Json sources = Json::array();
  for (const std::string& source : calibration.sources) sources.push_back({{"source", source}});
  return fmt::format(
      "{{\"schema\": \"{}\", \"schema_version\": 1, \"result\": {{\n{}}},\n\"sources\": {}}}\n", kSchema,
      fmt::join(parts, ",\n"), sources.dump());
}

std::optional<Calibration> catalogue_calibration(std::string_view system) {
  const std::string path = fmt::format("calibrations/{}.json", system);
  for (const EmbeddedFile& file : embedded_files()) {
    if (file.path == path) return parse_calibration(file.text, path);
  }
  return std::nullopt;
}

}  // namespace roofplan::model
