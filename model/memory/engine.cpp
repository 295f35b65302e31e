#include "model/memory/engine.hpp"

#include "model/units/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace roofplan::model {
namespace {

/// Limits of the hardware, no program: the same in every version.
constexpr std::string_view kIdealEngine = "ideal";

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// Numbers joined by dots and whatever suffix: "0.21", "1.2.0rc6", "0.5.10.post1", "0.19.0+cu129".
bool is_version(std::string_view text) {
  const auto joins = [](char c) { return std::string_view(".-+_").find(c) != std::string_view::npos; };
  const auto allowed = [&](char c) {
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || joins(c);
  };
  const auto both_join = [&](char a, char b) { return joins(a) && joins(b); };
  return !text.empty() && is_digit(text.front()) && !joins(text.back()) &&
         std::all_of(text.begin(), text.end(), allowed) &&
         std::adjacent_find(text.begin(), text.end(), both_join) == text.end();
}

/// The numbers of "0.5.10.post1" or "1.2.0rc6" before the first word.
std::vector<int> version_parts(std::string_view text) {
  std::vector<int> parts;
  std::string_view rest = is_version(text) ? text : "";
  while (!rest.empty() && is_digit(rest.front())) {
    int part = 0;
    const auto [end, fault] = std::from_chars(rest.data(), rest.data() + rest.size(), part);
    if (fault != std::errc()) {
      parts.clear();
      break;
    }
    parts.push_back(part);
    rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
    if (!rest.starts_with('.')) return parts;
    rest.remove_prefix(1);
  }
  if (parts.size() > 1) return parts;
  throw InputError(InputError::Kind::usage, "'" + std::string(text) + "' is no version", "a version as 0.21");
}

bool contains(const std::vector<std::string>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

}  // namespace

bool older_version(std::string_view a, std::string_view b) {
  return version_parts(a) < version_parts(b);
}

bool EngineMemory::can_split(std::string_view dimension) const {
  return contains(splits, dimension);
}

EngineProfile EngineTable::find(std::string_view name, std::string_view version) const {
  const std::size_t at = name.find('@');
  const std::string_view id = name.substr(0, at);
  if (at != std::string_view::npos) version = name.substr(at + 1);
  for (const Entry& entry : entries_) {
    if (entry.profile.id != id && !contains(entry.profile.aliases, id)) continue;
    EngineProfile found = entry.profile;
    if (version.empty() && at == std::string_view::npos) return found;
    version_parts(version);
    if (found.id == kIdealEngine)
      throw InputError(InputError::Kind::usage, "the engine " + found.id + " has no versions", found.id);
    found.version = version;
    for (const Older& older : entry.older) {
      if (!older_version(version, older.before)) continue;
      if (older.fraction) found.memory.fraction = *older.fraction;
      if (older.graphs_in_budget) found.memory.graphs_in_budget = *older.graphs_in_budget;
    }
    return found;
  }
  std::vector<std::string> names = ids();
  const std::string expected = fmt::format("one of: {}", fmt::join(names, ", "));
  for (const Entry& entry : entries_)
    names.insert(names.end(), entry.profile.aliases.begin(), entry.profile.aliases.end());
  throw InputError(InputError::Kind::usage, fmt::format("unknown engine \"{}\"", id), expected, {},
                   nearest_names(id, names));
}

std::string platform_of(const Chip& chip) {
  if (chip.compute_capability.known()) return "cuda";
  const auto text = chip.texts.find("platform");
  return text == chip.texts.end() ? std::string() : text->second.text;
}

bool runs_on(const EngineProfile& engine, const Chip& chip) {
  const std::string platform = platform_of(chip);
  return platform.empty() || engine.platforms.empty() || contains(engine.platforms, platform);
}

void EngineTable::check_runs(const EngineProfile& engine, const System& system) const {
  if (runs_on(engine, system.chip)) return;
  std::vector<std::string> others;
  for (const Entry& entry : entries_)
    if (runs_on(entry.profile, system.chip) && entry.profile.id != kIdealEngine)
      others.push_back(entry.profile.id);
  others.emplace_back(kIdealEngine);
  throw InputError(InputError::Kind::usage,
                   fmt::format("{} does not run on {}: it is built for {}, not {}", engine.name, system.id,
                               fmt::join(engine.platforms, " and "), platform_of(system.chip)),
                   fmt::format("an engine that does: {}", fmt::join(others, ", ")), {}, {others.front()});
}

std::vector<std::string> EngineTable::ids() const {
  std::vector<std::string> out;
  for (const Entry& entry : entries_) out.push_back(entry.profile.id);
  return out;
}

const Figure<double>& default_on(const DeviceDefault& what, const EngineMemory& engine,
                                 const System& system) {
  if (system.unified_memory && what.unified) return *what.unified;
  const bool large = engine.large_device && system.chip.memory_visible.known() &&
                     *system.chip.memory_visible >= **engine.large_device &&
                     !contains(engine.small_families, system.chip.family);
  return large && what.large ? *what.large : what.usual;
}

}  // namespace roofplan::model
