#include "model/roofline/engine_speed.hpp"

#include "model/catalog/figure_reader.hpp"
#include "model/json/json.hpp"
#include "model/memory/engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace roofplan::model {

namespace {

/// Reads the figures of one object by name; every name must be there and known.
class Figures {
 public:
  Figures(const JsonReader& object, const Sources& sources) : object_(&object), sources_(&sources) {}

  Figure<double> number(std::string_view key, std::string_view unit = "fraction") const {
    const JsonReader entry = object_->at(key);
    Figure<double> figure = read_number_figure(entry, *sources_, unit);
    if (!figure.known()) entry.fail("the number is unknown", "a number");
    return figure;
  }
  Figure<Seconds> time(std::string_view key) const {
    const JsonReader entry = object_->at(key);
    Figure<Seconds> figure = read_figure<Seconds>(entry, *sources_);
    if (!figure.known()) entry.fail("the time is unknown", "a number");
    return figure;
  }
  Figure<double> factor(std::string_view key) const {
    Figure<double> figure = number(key);
    if (*figure <= 0) object_->at(key).fail("a factor is above 0", "a number above 0");
    return figure;
  }
  void finish() const { object_->finish(); }

 private:
  const JsonReader* object_;
  const Sources* sources_;
};

std::vector<EngineSpeed::Kernels> read_kernels(const JsonReader& list, const Sources& sources) {
  std::vector<EngineSpeed::Kernels> out;
  for (const JsonReader& entry : list.elements()) {
    EngineSpeed::Kernels k;
    for (const JsonReader& format : entry.at("formats").elements()) k.formats.push_back(format.as_string());
    const Figures figures(entry, sources);
    k.memory = figures.factor("memory");
    k.compute = figures.factor("compute");
    entry.finish();
    out.push_back(std::move(k));
  }
  const bool complete = std::any_of(out.begin(), out.end(), [](const auto& k) {
    return std::find(k.formats.begin(), k.formats.end(), "*") != k.formats.end();
  });
  if (!complete) list.fail("no kernels for the formats that are not named", "an entry with \"*\"");
  return out;
}

std::vector<std::string> read_names(const JsonReader& list) {
  std::vector<std::string> out;
  for (const JsonReader& entry : list.elements()) out.push_back(entry.as_string());
  return out;
}

std::optional<EngineSpeed::KernelLawUse> read_kernel_laws(const JsonReader& entry, const Sources& sources) {
  const bool used = entry.at("used").as_bool();
  EngineSpeed::KernelLawUse use;
  if (used) {
    const Figures figures(entry, sources);
    use.quantise = figures.number("quantise");
    use.expert_fixed = figures.number("expert_fixed");
    if (const auto own = entry.find("own_experts")) {
      for (const auto& [family, formats] : own->members()) use.own_experts[family] = read_names(formats);
    }
  }
  entry.finish();
  return used ? std::optional(use) : std::nullopt;
}

std::vector<EngineSpeed::VersionFactor> read_versions(const JsonReader& list, const Sources& sources) {
  std::vector<EngineSpeed::VersionFactor> out;
  for (const JsonReader& entry : list.elements()) {
    out.push_back({entry.at("family").as_string(), Figures(entry, sources).factor("factor")});
    if (version_family(out.back().family) != out.back().family)
      entry.at("family").fail("not a family of versions", "two numbers, as \"0.19\"");
    entry.finish();
  }
  return out;
}

/// The number that a version begins with.
int major_version(std::string_view version) {
  int major = 0;
  for (const char c : version) {
    if (c < '0' || c > '9' || major > 1'000'000) break;
    major = 10 * major + (c - '0');
  }
  return major;
}

EngineSpeed read_speed(const JsonReader& speed, const Sources& sources) {
  EngineSpeed e;
  const JsonReader fitted = speed.at("fitted_on");
  e.fitted_chips = read_names(fitted.at("chips"));
  e.fitted_families = read_names(fitted.at("families"));
  if (const auto versions = fitted.find("versions")) {
    e.oldest = versions->at("oldest").as_string();
    e.newest = versions->at("newest").as_string();
    versions->finish();
  }
  if (const auto caches = fitted.find("cache")) {
    for (const auto& [family, format] : caches->members()) {
      (family == "default" ? e.cache : e.family_cache[family]) = format.as_string();
    }
  }
  fitted.finish();
  if (const auto versions = speed.find("versions")) e.versions = read_versions(*versions, sources);
  e.kernel_laws = read_kernel_laws(speed.at("kernel_laws"), sources);
  e.mixes_prefill = speed.at("mixes_prefill").as_bool();
  e.kernels = read_kernels(speed.at("kernels"), sources);
  const JsonReader attention_entry = speed.at("attention");
  const Figures attention(attention_entry, sources);
  e.attention_memory = attention.factor("memory");
  e.attention_compute = attention.factor("compute");
  attention.finish();
  const JsonReader experts_entry = speed.at("experts");
  const Figures experts(experts_entry, sources);
  e.experts_memory = experts.factor("memory");
  e.experts_compute = experts.factor("compute");
  e.experts_fill = experts.number("fill", "count");
  experts.finish();
  const JsonReader scan_entry = speed.at("scan");
  const Figures scan(scan_entry, sources);
  e.scan_memory = scan.factor("memory");
  e.scan_compute = scan.factor("compute");
  scan.finish();
  e.launch = read_figure<Seconds>(speed.at("launch"), sources);
  e.launch_batched = read_figure<Seconds>(speed.at("launch_batched"), sources);
  e.expands_latent = speed.at("expands_latent").as_bool();
  const JsonReader overheads_entry = speed.at("overheads");
  const Figures overheads(overheads_entry, sources);
  e.overheads.step = overheads.time("step");
  e.overheads.layer = overheads.time("layer");
  e.overheads.moe_layer = overheads.time("moe_layer");
  e.overheads.sequence = overheads.time("sequence");
  e.overheads.sequence_layer = overheads.time("sequence_layer");
  e.overheads.prefill_token = overheads.time("prefill_token");
  e.overheads.network_exchange = overheads.time("network_exchange");
  overheads.finish();
  const JsonReader first_entry = speed.at("first_token");
  const Figures first(first_entry, sources);
  e.first_token.base = first.time("base");
  e.first_token.token = first.time("token");
  e.first_token.steps = first.number("steps", "count");
  e.first_token.wave = first.number("wave");
  first.finish();
  const Figures rest(speed, sources);
  e.exchange = rest.factor("exchange");
  e.chunk_tokens = rest.number("chunk_tokens", "count");
  speed.finish();
  return e;
}

}  // namespace

const std::string& EngineSpeed::cache_on(const Chip& chip) const {
  const auto own = family_cache.find(chip.family);
  return own != family_cache.end() ? own->second : cache;
}

const EngineSpeed::Kernels& EngineSpeed::kernels_for(std::string_view format) const {
  const Kernels* other = nullptr;
  for (const Kernels& k : kernels) {
    for (const std::string& name : k.formats) {
      if (name == format) return k;
      if (name == "*") other = &k;
    }
  }
  return *other;
}

EngineSpeed::Basis EngineSpeed::basis(const Chip& chip) const {
  const auto holds = [](const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  if (holds(fitted_chips, chip.id)) return Basis::catalogue;
  if (chip.id == "this") return Basis::machine;
  return holds(fitted_families, chip.family) ? Basis::family : Basis::datasheet;
}

bool EngineSpeed::fitted_version(std::string_view version) const {
  if (version.empty() || newest.empty()) return true;
  if (major_version(version) > major_version(newest) + 1) {
    std::vector<std::string> known;
    for (const VersionFactor& v : versions) known.push_back(v.family);
    throw InputError(InputError::Kind::usage, fmt::format("no version {} of {} is known", version, id),
                     fmt::format("{} to {}, and factors of {}", oldest, newest, fmt::join(known, ", ")));
  }
  const bool patch = version.starts_with(newest + ".");
  return !older_version(version, oldest) && (patch || !older_version(newest, version));
}

EngineSpeed::Basis EngineSpeed::basis(const Chip& chip, std::string_view version) const {
  const Basis own = basis(chip);
  if (fitted_version(version)) return own;
  return own == Basis::catalogue ? Basis::family : Basis::datasheet;
}

std::string version_family(std::string_view version) {
  const auto digits = [&](std::size_t at) {
    while (at < version.size() && version[at] >= '0' && version[at] <= '9') ++at;
    return at;
  };
  const std::size_t dot = digits(0);
  if (dot == 0 || dot == version.size() || version[dot] != '.') return {};
  const std::size_t end = digits(dot + 1);
  return end > dot + 1 ? std::string(version.substr(0, end)) : std::string();
}

double EngineSpeed::version_factor(std::string_view version) const {
  const std::string family = version_family(version);
  for (const VersionFactor& v : versions)
    if (v.family == family) return *v.factor;
  return 1;
}

double EngineSpeed::version_spread(std::string_view version) const {
  const std::string family = version_family(version);
  double sum = 0, squares = 0;
  for (const VersionFactor& v : versions) {
    if (v.family == family) return 0;
    const double log_factor = std::log(*v.factor);
    sum += log_factor;
    squares += log_factor * log_factor;
  }
  const auto n = static_cast<double>(versions.size());
  return n > 1 ? std::sqrt(std::max(0.0, squares - sum * sum / n) / (n - 1)) : 0;
}

EngineSpeed load_engine_speed(const DataFiles& files, const Sources& sources, std::string_view engine) {
  std::vector<std::string> ids;
  for (const std::string& path : files.in_folder("engines")) {
    const std::string file = files.shown_path(path);
    const Json json = parse_json(files.text(path), file);
    const JsonReader root(json, file);
    ids.push_back(root.at("id").as_string());
    if (ids.back() != engine) continue;
    EngineSpeed speed = read_speed(root.at("speed"), sources);
    speed.id = ids.back();
    return speed;
  }
  throw InputError(InputError::Kind::usage, "unknown engine \"" + std::string(engine) + "\"",
                   "an engine of data/engines", {}, nearest_names(engine, ids));
}

}  // namespace roofplan::model
