#include "model/catalog/system_reader.hpp"

#include "model/catalog/figure_reader.hpp"
#include "model/json/json.hpp"

#include <fmt/format.h>

namespace roofplan::model {
namespace {

const std::vector<std::string> kRateFormats{"fp64", "fp32", "tf32", "bf16", "fp16", "fp8", "int8", "nvfp4"};

std::map<std::string, Figure<FlopPerSecond>> read_rates(const JsonReader& entry, const Sources& sources) {
  std::map<std::string, Figure<FlopPerSecond>> out;
  const JsonReader rates = entry.at("dense_rate");
  for (const auto& [format, rate] : rates.members()) {
    if (format.find("sparse") != std::string::npos) {
      rate.fail("a sparse rate among the dense ones", "an entry under \"other\"");
    }
    if (std::find(kRateFormats.begin(), kRateFormats.end(), format) == kRateFormats.end()) {
      rate.fail(fmt::format("unknown number format \"{}\"", format),
                fmt::format("one of: {}", fmt::join(kRateFormats, ", ")),
                nearest_names(format, kRateFormats));
    }
    out.emplace(format, read_figure<FlopPerSecond>(rate, sources));
  }
  return out;
}

/// Brochures write both powers of ten and of two as "GB": what software sees lies between 0.85 of the
/// marketed number read as GB and the same number read as GiB.
void check_memory(const JsonReader& entry, const Chip& chip) {
  if (!chip.memory_marketed.known() || !chip.memory_visible.known()) return;
  const double marketed = chip.memory_marketed->quantity() / unit::B;
  const double visible = chip.memory_visible->quantity() / unit::B;
  if (visible > marketed * (unit::GiB / unit::GB) || visible < 0.85 * marketed) {
    entry.at("memory_visible")
        .fail("visible memory contradicts the marketed amount",
              "at least 0.85 of it, and at most the same number in GiB");
  }
}

void check_power(const JsonReader& entry, const System& system) {
  const std::vector<std::pair<const char*, const Figure<Watts>*>> rising{
      {"power_idle", &system.power_idle},
      {"power_typical", &system.power_typical},
      {"power_design", &system.power_design},
      {"power_peak", &system.power_peak}};
  const char* below = nullptr;
  Watts least;
  for (const auto& [key, power] : rising) {
    if (!power->known()) continue;
    if (below != nullptr && **power < least)
      entry.at(key).fail(fmt::format("{} lies below {}", key, below), "idle <= typical <= design <= peak");
    below = key;
    least = **power;
  }
}

void check_system(const JsonReader& entry, const System& system) {
  check_power(entry, system);
  if (system.accelerators % system.scale_up_size != 0) {
    entry.at("scale_up_size")
        .fail("the scale-up domain does not divide the accelerators", "a divisor of them");
  }
  if (system.scale_up_size > 1 && !system.chip.scale_up_link.known()) {
    entry.at("scale_up_size").fail("the chip has no scale-up link", "1");
  }
  if (system.liquid_fraction.known() && *system.liquid_fraction > 1) {
    entry.at("liquid_fraction").fail("the share of heat in liquid exceeds 1", "a fraction from 0 to 1");
  }
  if (system.reserved.known() && system.chip.memory_visible.known() &&
      *system.reserved >= *system.chip.memory_visible) {
    entry.at("reserved").fail("the reserve takes the whole visible memory", "less than memory_visible");
  }
}

System::Class read_class(const JsonReader& entry) {
  const std::vector<std::string> words{"card", "desktop", "node", "rack"};
  const std::string word = entry.as_word(words);
  return static_cast<System::Class>(std::find(words.begin(), words.end(), word) - words.begin());
}

/// Facts of the system itself; counts and identity are read by read_system.
void read_figures(const JsonReader& entry, const Sources& sources, System& out) {
  out.reserved = read_byte_figure(entry.at("reserved"), sources);
  out.host_memory = read_byte_figure(entry.at("host_memory"), sources);
  out.rack_units = read_number_figure(entry.at("rack_units"), sources, "U");
  out.power_typical = read_figure<Watts>(entry.at("power_typical"), sources);
  out.power_design = read_figure<Watts>(entry.at("power_design"), sources);
  out.power_peak = read_figure<Watts>(entry.at("power_peak"), sources);
  out.power_idle = read_figure<Watts>(entry.at("power_idle"), sources);
  out.nic_count = read_number_figure(entry.at("nic_count"), sources, "ports");
  out.nic_rate = read_figure<BytesPerSecond>(entry.at("nic_rate"), sources, UnitForm::bits);
  out.liquid_fraction = read_number_figure(entry.at("liquid_fraction"), sources, "fraction");
  out.other = read_other_figures(entry, sources);
  out.texts = read_text_facts(entry, sources);
}

}  // namespace

Chip read_chip(const std::string& text, const std::string& file, const Sources& sources) {
  const Json document = parse_json(text, file);
  const JsonReader entry(document, file);
  Chip out;
  out.id = entry.at("id").as_string();
  out.name = entry.at("name").as_string();
  out.family = entry.at("family").as_string();
  out.compute_capability = read_text_fact(entry.at("compute_capability"), sources);
  out.sm_count = read_number_figure(entry.at("sm_count"), sources, "SM");
  out.memory_marketed = read_byte_figure(entry.at("memory_marketed"), sources);
  out.memory_visible = read_byte_figure(entry.at("memory_visible"), sources);
  out.memory_bandwidth = read_figure<BytesPerSecond>(entry.at("memory_bandwidth"), sources, UnitForm::bytes);
  out.l2 = read_byte_figure(entry.at("l2"), sources);
  out.tdp = read_figure<Watts>(entry.at("tdp"), sources);
  out.scale_up_link = read_figure<BytesPerSecond>(entry.at("scale_up_link"), sources, UnitForm::bytes);
  out.host_link = read_figure<BytesPerSecond>(entry.at("host_link"), sources, UnitForm::bytes);
  out.dense_rate = read_rates(entry, sources);
  out.other = read_other_figures(entry, sources);
  out.texts = read_text_facts(entry, sources);
  entry.finish();
  check_memory(entry, out);
  return out;
}

System read_system(const std::string& text, const std::string& file, const Sources& sources,
                   const std::function<const Chip*(const std::string& id)>& chip_of) {
  const Json document = parse_json(text, file);
  const JsonReader entry(document, file);
  System out;
  out.id = entry.at("id").as_string();
  out.name = entry.at("name").as_string();
  for (const JsonReader& alias : entry.at("aliases").elements()) out.aliases.push_back(alias.as_string());
  out.system_class = read_class(entry.at("class"));
  const std::string chip = entry.at("chip").as_string();
  const Chip* found = chip_of(chip);
  if (found == nullptr)
    entry.at("chip").fail(fmt::format("unknown chip \"{}\"", chip), "an id of data/chips");
  out.chip = *found;
  out.accelerators = entry.at("accelerators").as_integer(1, 100000);
  out.scale_up_size = entry.at("scale_up_size").as_integer(1, 100000);
  out.unified_memory = entry.at("unified_memory").as_bool();
  read_figures(entry, sources, out);
  entry.finish();
  check_system(entry, out);
  return out;
}

std::string read_id(const std::string& text, const std::string& file) {
  const Json document = parse_json(text, file);
  return JsonReader(document, file).at("id").as_string();
}

}  // namespace roofplan::model
