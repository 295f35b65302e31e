#include "model/probe/cpu/cpu_device.hpp"

#include <fmt/format.h>

#include <chrono>
#include <fstream>
#include <numeric>
#include <sched.h>
#include <sstream>
#include <string_view>
#include <sys/utsname.h>
#include <thread>

namespace roofplan::probe {
namespace {

/// The text behind "key ... :" in a file of /proc; empty where there is none.
std::string field_of(const char* file, std::string_view key) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with(key)) continue;
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos) continue;
    const std::size_t start = line.find_first_not_of(" \t", colon + 1);
    return start == std::string::npos ? std::string() : line.substr(start);
  }
  return {};
}

std::string first_line(const char* file) {
  std::ifstream in(file);
  std::string line;
  std::getline(in, line, '\0');
  return line.substr(0, line.find('\n'));
}

/// x86 has a name; arm64 the implementer and part of a core, which the machine's own name makes readable.
std::string processor_name() {
  if (const std::string name = field_of("/proc/cpuinfo", "model name"); !name.empty()) return name;
  if (const std::string name = first_line("/sys/firmware/devicetree/base/model"); !name.empty()) return name;
  utsname host{};
  uname(&host);
  return fmt::format("{} processor, implementer {} part {}", host.machine,
                     field_of("/proc/cpuinfo", "CPU implementer"), field_of("/proc/cpuinfo", "CPU part"));
}

int usable_cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) == 0) return std::max(1, CPU_COUNT(&set));
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

model::ByteCount memory_field(std::string_view key) {
  std::istringstream in(field_of("/proc/meminfo", key));
  std::int64_t kib = 0;
  in >> kib;
  return model::ByteCount(kib * 1024);
}

/// Of the first core: the cache of the highest level.
model::ByteCount last_cache() {
  model::ByteCount out;
  for (int i = 0; i < 8; ++i) {
    std::istringstream in(
        first_line(fmt::format("/sys/devices/system/cpu/cpu0/cache/index{}/size", i).c_str()));
    std::int64_t size = 0;
    char suffix = 0;
    if (in >> size >> suffix) out = model::ByteCount(size * (suffix == 'M' ? 1 << 20 : 1 << 10));
  }
  return out;
}

/// Busy and total ticks of all processors since the machine started.
std::pair<double, double> ticks() {
  std::ifstream in("/proc/stat");
  std::string label;
  in >> label;
  std::vector<double> t;
  for (double v = 0; t.size() < 8 && in >> v;) t.push_back(v);
  if (t.size() < 5) return {0, 0};
  const double total = std::accumulate(t.begin(), t.end(), 0.0);
  return {total - t[3] - t[4], total};
}

}  // namespace

CpuDevice::CpuDevice() {
  identity_.kind = "cpu";
  identity_.name = processor_name();
  utsname host{};
  if (uname(&host) == 0) identity_.driver = fmt::format("{} {}", host.sysname, host.release);
  identity_.units = usable_cores();
  identity_.memory = memory_field("MemTotal");
  identity_.cache = last_cache();
}

DeviceState CpuDevice::state() {
  DeviceState out;
  const auto [busy, total] = ticks();
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  const auto [busy_later, total_later] = ticks();
  if (total_later > total) out.busy = (busy_later - busy) / (total_later - total);
  out.free_memory = memory_field("MemAvailable");
  return out;
}

}  // namespace roofplan::probe
