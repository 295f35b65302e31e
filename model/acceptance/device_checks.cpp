#include "model/acceptance/checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <set>
#include <tuple>

namespace roofplan::model {
namespace {

using Gauge = DeviceFigure;
using Readings = std::vector<const DeviceReading*>;

struct ZeroRule {
  Gauge figure;
  const char* reason;
};

/// What a healthy accelerator has none of.
constexpr std::array<ZeroRule, 10> kZeroRules{{
    {Gauge::ecc_uncorrected, "accept.device.ecc"},
    {Gauge::ecc_uncorrected_lifetime, "accept.device.ecc"},
    {Gauge::rows_pending, "accept.device.rows_pending"},
    {Gauge::rows_failed, "accept.device.rows_failed"},
    {Gauge::nvlink_replays, "accept.device.nvlink"},
    {Gauge::nvlink_recoveries, "accept.device.nvlink"},
    {Gauge::nvlinks_down, "accept.device.nvlinks_down"},
    {Gauge::thermal_slowdown, "accept.device.thermal"},
    {Gauge::thermal_time, "accept.device.thermal"},
    {Gauge::power_brake, "accept.device.power_brake"},
}};

/// What is corrected on the way, and tells something only as a rate.
constexpr std::array<ZeroRule, 2> kRates{{
    {Gauge::nvlink_crc, "accept.device.crc_rate"},
    {Gauge::pcie_replays, "accept.device.replay_rate"},
}};

std::string part_of(const DeviceReading& reading) {
  return reading.gpu.empty() ? std::string() : "GPU " + reading.gpu;
}

Check check_of(std::string name, const DeviceReading& reading, double measured, std::string unit) {
  Check check;
  check.name = std::move(name);
  check.node = reading.place.node;
  check.part = part_of(reading);
  check.measured = measured;
  check.unit = std::move(unit);
  return check;
}

/// Adds a failed check for every reading that `fault` objects to; where it objects to none, the one with the
/// lowest number stands for all accelerators of the node. `fault` returns nothing where a reading says
/// nothing.
template <class Fault>
void check_each(const Readings& readings, Acceptance& acceptance, Fault fault) {
  std::optional<Check> lowest;
  std::size_t passed = 0, failed = 0;
  for (const DeviceReading* reading : readings) {
    std::optional<Check> check = fault(*reading);
    if (!check) continue;
    if (check->pass == false) {
      ++failed;
      acceptance.checks.push_back(std::move(*check));
      continue;
    }
    ++passed;
    if (!lowest || check->measured < lowest->measured) lowest = std::move(check);
  }
  if (passed == 0 || failed > 0) return;
  lowest->part.clear();
  lowest->detail = fmt::format("{} GPUs", passed);
  acceptance.checks.push_back(std::move(*lowest));
}

void check_zeros(const Readings& readings, Acceptance& acceptance) {
  for (const ZeroRule& rule : kZeroRules) {
    const std::string name = "device." + std::string(to_text(rule.figure));
    check_each(readings, acceptance, [&](const DeviceReading& reading) -> std::optional<Check> {
      const auto value = reading.find(rule.figure);
      if (!value) return std::nullopt;
      Check check = check_of(name, reading, *value, std::string(unit_of(rule.figure)));
      check.expected = 0.0;
      check.pass = *value <= 0;
      if (!*check.pass) check.reason = Text(rule.reason);
      return check;
    });
  }
  for (const ZeroRule& rule : kRates) {
    for (const DeviceReading* reading : readings) {
      const double value = reading->find(rule.figure).value_or(0);
      if (value <= 0) continue;
      Check check = check_of("device." + std::string(to_text(rule.figure)), *reading, value,
                             std::string(unit_of(rule.figure)));
      check.reason = Text(rule.reason);
      acceptance.checks.push_back(std::move(check));
    }
  }
}

/// Slowed down by the hardware for a reason that is neither heat nor the power brake.
std::optional<Check> slowdown_check(const DeviceReading& reading) {
  const auto state = reading.find(Gauge::hardware_slowdown);
  if (!state) return std::nullopt;
  Check check = check_of("device.hardware_slowdown", reading, *state, "state");
  check.expected = 0.0;
  const bool told = reading.find(Gauge::thermal_slowdown).value_or(0) > 0 ||
                    reading.find(Gauge::power_brake).value_or(0) > 0;
  check.pass = *state <= 0 || told;
  if (!*check.pass) check.reason = Text("accept.device.slowdown");
  return check;
}

/// What a busy accelerator draws at least: on GB10 more than in its slow states, elsewhere more than halfway
/// from idle to the least that decoding takes, as shares of the TDP.
std::optional<double> least_power(const Promise& promise) {
  const Chip& chip = promise.system->chip;
  if (chip.id == "gb10") return *promise.limits->slow_state_power / unit::W;
  if (!chip.tdp.known() || promise.phases == nullptr) return std::nullopt;
  const double decode = promise.phases->decode.low.value_or(*promise.phases->decode);
  return (*promise.phases->idle + decode) / 2 * (*chip.tdp / unit::W);
}

bool is_busy(const DeviceReading& reading, const Promise& promise) {
  return reading.find(Gauge::utilisation).value_or(0) >= *promise.limits->busy;
}

std::optional<Check> power_check(const DeviceReading& reading, const Promise& promise) {
  const auto power = reading.find(Gauge::power);
  const auto least = least_power(promise);
  if (!power || !least || !is_busy(reading, promise)) return std::nullopt;
  Check check = check_of("device.power_at_work", reading, *power, "W");
  check.detail = fmt::format("{:.0f} % utilisation", 100 * *reading.find(Gauge::utilisation));
  check.expected = *least;
  check.pass = *power > *least;
  if (!*check.pass)
    check.reason =
        Text(promise.system->chip.id == "gb10" ? "accept.device.gb10_slow" : "accept.device.busy_idle");
  return check;
}

std::optional<Check> work_check(const DeviceReading& reading, const Promise& promise) {
  const auto active = reading.find(Gauge::sm_active);
  if (!active || !is_busy(reading, promise)) return std::nullopt;
  Check check = check_of("device.work", reading, *active, "SM activity");
  check.detail = fmt::format("{:.0f} % utilisation", 100 * *reading.find(Gauge::utilisation));
  check.expected = *promise.limits->least_work;
  check.pass = *active >= *promise.limits->least_work;
  if (!*check.pass) check.reason = Text("accept.device.no_work");
  return check;
}

std::optional<Check> shortfall_check(const DeviceReading& reading, Gauge figure, double scale,
                                     double expected, double tolerance, const char* reason) {
  const auto value = reading.find(figure);
  if (!value || expected <= 0) return std::nullopt;
  Check check = check_of("device." + std::string(to_text(figure)), reading, *value / scale,
                         std::string(unit_of(figure)));
  check.expected = expected;
  check.tolerance = tolerance;
  check.pass = *value / scale >= (1 - tolerance) * expected;
  if (!*check.pass) check.reason = Text(reason);
  return check;
}

void check_models(const Readings& readings, const Chip& chip, Acceptance& acceptance) {
  check_each(readings, acceptance, [&](const DeviceReading& r) -> std::optional<Check> {
    const auto same = names_chip(r.name, chip);
    if (!same) return std::nullopt;
    Check check = check_of("device.model", r, 0, {});
    check.measured = r.name;
    check.expected = chip.name;
    check.pass = *same;
    if (!*same) check.reason = Text("accept.device.model");
    return check;
  });
}

/// The accelerators that runs of nccl-tests list, each once. A run without results may be cut in a name;
/// processes that each ran on their own are not told apart.
std::vector<DeviceReading> devices_of_runs(const Evidence& evidence) {
  std::vector<DeviceReading> devices;
  std::set<std::tuple<std::string, int, std::string>> known;
  for (const CollectiveRun& run : evidence.collectives) {
    if (run.rows.empty() || run.alone) continue;
    for (const RankPlace& rank : run.ranks) {
      if (!known.emplace(rank.host, rank.device, rank.name).second) continue;
      DeviceReading device;
      device.place = run.place;
      device.place.node = rank.host;
      device.gpu = std::to_string(rank.device);
      device.name = rank.name;
      devices.push_back(std::move(device));
    }
  }
  return devices;
}

/// Readings by the node they are of.
std::map<std::string, Readings> by_node(const std::vector<DeviceReading>& devices) {
  std::map<std::string, Readings> nodes;
  for (const DeviceReading& device : devices) nodes[device.place.node].push_back(&device);
  return nodes;
}

void check_promised(const Readings& readings, const Promise& promise, Acceptance& acceptance) {
  const Chip& chip = promise.system->chip;
  const AcceptanceLimits& limits = *promise.limits;
  const double gib = unit::GiB / unit::B;
  const double memory =
      chip.memory_visible.known() ? static_cast<double>(chip.memory_visible->count()) / gib : 0;
  const double tdp = chip.tdp.known() ? *chip.tdp / unit::W : 0;
  check_each(readings, acceptance, slowdown_check);
  check_each(readings, acceptance, [&](const DeviceReading& r) { return power_check(r, promise); });
  check_each(readings, acceptance, [&](const DeviceReading& r) { return work_check(r, promise); });
  check_each(readings, acceptance, [&](const DeviceReading& r) {
    return shortfall_check(r, Gauge::memory_total, gib, memory, *limits.memory_shortfall,
                           "accept.device.memory");
  });
  check_each(readings, acceptance, [&](const DeviceReading& r) {
    return shortfall_check(r, Gauge::power_limit, 1, tdp, *limits.power_limit_shortfall,
                           "accept.device.power_limit");
  });
  check_each(readings, acceptance, [&](const DeviceReading& r) {
    return shortfall_check(r, Gauge::pcie_width, 1, r.find(Gauge::pcie_width_max).value_or(0), 0,
                           "accept.device.pcie_width");
  });
  check_models(readings, chip, acceptance);
}

void check_count(const std::string& node, const Readings& readings, const Evidence& evidence,
                 const Promise& promise, Acceptance& acceptance) {
  std::map<std::string, std::set<std::string>> by_file;
  for (const DeviceReading* reading : readings) {
    if (!reading->gpu.empty()) by_file[reading->place.file].insert(reading->gpu);
  }
  std::size_t seen = 0;
  for (const auto& [file, gpus] : by_file) seen = std::max(seen, gpus.size());
  const auto attached = evidence.attached_gpus.find(node);
  if (attached != evidence.attached_gpus.end()) seen = static_cast<std::size_t>(attached->second);
  if (seen == 0 || promise.system->system_class == System::Class::card) return;
  acceptance.checks.push_back(inventory_check(node, static_cast<std::int64_t>(seen), promise));
}

}  // namespace

Check inventory_check(const std::string& node, std::int64_t seen, const Promise& promise) {
  const std::int64_t promised = promise.gpus_of_host();
  Check check;
  check.name = "inventory.gpus";
  check.node = node;
  check.measured = static_cast<double>(seen);
  check.expected = static_cast<double>(promised);
  check.unit = "GPUs";
  if (seen > promised) {
    check.leave_open(Text("accept.device.more"));
    return check;
  }
  check.pass = seen == promised;
  if (!*check.pass) check.reason = Text("accept.device.missing");
  return check;
}

std::optional<bool> names_chip(const std::string& name, const Chip& chip) {
  const auto words_in = [](const std::string& text) {
    std::set<std::string> words;
    std::string word;
    for (const char c : text + " ") {
      if (std::isalnum(static_cast<unsigned char>(c))) {
        word.push_back(static_cast<char>(std::tolower(static_cast<unsigned char>(c))));
      } else if (!word.empty()) {
        words.insert(word);
        word.clear();
      }
    }
    return words;
  };
  const std::set<std::string> given = words_in(name);
  if (given.empty() || given.contains("graphics")) return std::nullopt;
  static const std::set<std::string> kForms{"sxm", "pcie", "nvl", "station", "max", "q", "ultra"};
  for (const std::string& word : words_in(chip.id)) {
    if (!kForms.contains(word) && !given.contains(word)) return false;
  }
  return true;
}

void check_devices(const Evidence& evidence, const Promise& promise, Acceptance& acceptance) {
  for (const auto& [node, readings] : by_node(evidence.devices)) {
    check_count(node, readings, evidence, promise, acceptance);
    check_promised(readings, promise, acceptance);
    check_zeros(readings, acceptance);
  }
  const std::vector<DeviceReading> listed = devices_of_runs(evidence);
  for (const auto& [node, readings] : by_node(listed))
    check_models(readings, promise.system->chip, acceptance);
  compare_devices(evidence, promise, acceptance);
}

}  // namespace roofplan::model
