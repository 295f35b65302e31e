#include "model/acceptance/evidence.hpp"

#include <algorithm>
#include <array>

namespace roofplan::model {
namespace {

using Gauge = DeviceFigure;

struct FigureName {
  Gauge figure;
  std::string_view name, unit;
};

constexpr std::array<FigureName, 25> kNames{{
    {Gauge::utilisation, "utilisation", "1"},
    {Gauge::power, "power", "W"},
    {Gauge::power_limit, "power_limit", "W"},
    {Gauge::temperature, "temperature", "C"},
    {Gauge::slowdown_temperature, "slowdown_temperature", "C"},
    {Gauge::sm_clock, "sm_clock", "MHz"},
    {Gauge::memory_total, "memory", "GiB"},
    {Gauge::sm_active, "sm_active", "1"},
    {Gauge::pcie_width, "pcie_width", "lanes"},
    {Gauge::pcie_width_max, "pcie_width_max", "lanes"},
    {Gauge::pcie_replays, "pcie_replays", "replays"},
    {Gauge::ecc_uncorrected, "ecc_uncorrected", "errors"},
    {Gauge::ecc_uncorrected_lifetime, "ecc_uncorrected_lifetime", "errors"},
    {Gauge::rows_pending, "rows_pending", "state"},
    {Gauge::rows_failed, "rows_failed", "state"},
    {Gauge::nvlink_replays, "nvlink_replays", "replays"},
    {Gauge::nvlink_recoveries, "nvlink_recoveries", "recoveries"},
    {Gauge::nvlink_crc, "nvlink_crc", "errors"},
    {Gauge::nvlinks_down, "nvlinks_down", "links"},
    {Gauge::thermal_slowdown, "thermal_slowdown", "state"},
    {Gauge::power_brake, "power_brake", "state"},
    {Gauge::hardware_slowdown, "hardware_slowdown", "state"},
    {Gauge::power_cap, "power_cap", "state"},
    {Gauge::thermal_time, "thermal_time", "s"},
    {Gauge::power_time, "power_time", "s"},
}};

const FigureName& entry_of(Gauge figure) {
  return *std::find_if(kNames.begin(), kNames.end(), [&](const FigureName& n) { return n.figure == figure; });
}

/// Figures of the moment; the others only ever grow or never change.
bool is_of_moment(Gauge figure) {
  return figure == Gauge::utilisation || figure == Gauge::power || figure == Gauge::temperature ||
         figure == Gauge::sm_clock || figure == Gauge::sm_active || figure == Gauge::pcie_width;
}

/// Whether the sample shows a busier moment, with more power where both are as busy.
bool is_busier(const DeviceReading& sample, const DeviceReading& known) {
  const auto busy = [](const DeviceReading& r) { return r.find(Gauge::utilisation).value_or(-1); };
  const auto power = [](const DeviceReading& r) { return r.find(Gauge::power).value_or(-1); };
  return busy(sample) > busy(known) || (busy(sample) == busy(known) && power(sample) > power(known));
}

}  // namespace

std::string_view to_text(DeviceFigure figure) {
  return entry_of(figure).name;
}

std::string_view unit_of(DeviceFigure figure) {
  return entry_of(figure).unit;
}

std::optional<double> DeviceReading::find(DeviceFigure figure) const {
  const auto found = figures.find(figure);
  return found == figures.end() ? std::nullopt : std::optional(found->second);
}

void Evidence::add(const DeviceReading& sample) {
  constexpr std::size_t kMost = 200'000;
  const std::string key = sample.place.node + "\n" + sample.gpu + "\n" + sample.place.file;
  const auto found = device_index_.find(key);
  if (found == device_index_.end()) {
    if (devices.size() >= kMost) return;
    device_index_.emplace(key, devices.size());
    devices.push_back(sample);
    return;
  }
  DeviceReading& known = devices[found->second];
  if (!sample.name.empty()) known.name = sample.name;
  if (!sample.driver.empty()) known.driver = sample.driver;
  const bool busier = is_busier(sample, known);
  for (const auto& [figure, value] : sample.figures) {
    const auto [at, fresh] = known.figures.try_emplace(figure, value);
    if (fresh) continue;
    at->second = is_of_moment(figure) ? (busier ? value : at->second) : std::max(at->second, value);
  }
}

}  // namespace roofplan::model
