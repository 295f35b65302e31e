#include "model/probe/gpu/gpu_load.hpp"

#include "model/calibration/error_statistics.hpp"
#include "model/probe/probe.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace roofplan::probe {
namespace {

using model::Calibration;
using model::ProbeResult;
namespace unit = model::unit;

/// Large enough to come from memory and to fill every chip.
constexpr std::int64_t kStream = std::int64_t{2} << 30, kWide = 8192;

struct Load {
  const char* name;
  std::vector<GpuWork> works;
  double bytes = 0, flop = 0;  ///< of one execution
};

std::vector<Load> loads(std::int64_t room) {
  const MemoryWork stream{MemoryWork::Kind::read, std::min(kStream, room / 2)};
  const ProductWork product{ProductWork::Format::bfloat16, kWide, kWide, kWide};
  const double streamed = static_cast<double>(stream.bytes), multiplied = 3 * product.weight_bytes();
  return {{"idle", {}},
          {"stream", {stream}, streamed, 0},
          {"product", {product}, multiplied, product.flop()},
          {"mixed", {product, stream}, streamed + multiplied, product.flop()}};
}

/// What was seen of one load, after the first third.
struct Seen {
  std::vector<double> watts, megahertz;
  double executions = 0, seconds = 0;
};

void look(Gpu& gpu, Seen& seen) {
  const DeviceState state = gpu.state();
  if (state.power) seen.watts.push_back(*state.power / unit::W);
  if (state.clock_mhz) seen.megahertz.push_back(*state.clock_mhz);
}

Seen hold(Gpu& gpu, Workbench& bench, const Load& load, const LoadTimes& times) {
  const Seconds glance = times.each / 40.0;
  Seen out;
  if (!load.works.empty() && !(bench.run(load.works) > Seconds{})) return out;  // makes it ready as well
  const Seconds start = times.now();
  Seconds last = start;
  for (Seconds at = start; at - start < times.each; at = times.now()) {
    if (times.interrupted && times.interrupted()) break;
    const bool counts = at - start >= times.each / 3.0;
    if (load.works.empty()) {
      times.pause(glance);
    } else {
      const Seconds each = bench.run(load.works);
      if (!(each > Seconds{})) break;
      if (counts) out.executions += 1, out.seconds += each.base();
    }
    if (counts && times.now() - last >= glance) {
      look(gpu, out);
      last = times.now();
    }
  }
  return out;
}

ProbeResult result_of(std::string name, const char* unit_name, std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const double middle = model::median(values);
  return {.name = std::move(name),
          .params = {},
          .value = middle,
          .unit = unit_name,
          .median = middle,
          .p10 = model::nearest_rank(values, 0.1),
          .p90 = model::nearest_rank(values, 0.9),
          .n = static_cast<int>(values.size())};
}

std::optional<ProbeResult> power_under(const Calibration& c, const char* load) {
  const auto found = std::find_if(c.probes.begin(), c.probes.end(), [&](const ProbeResult& p) {
    return p.name == fmt::format("power/{}", load);
  });
  return found == c.probes.end() ? std::nullopt : std::optional(*found);
}

}  // namespace

std::vector<ProbeResult> sustained_loads(Gpu& gpu, Workbench& bench, const LoadTimes& times) {
  std::vector<ProbeResult> out;
  if (const DeviceState state = gpu.state(); !state.power && !state.clock_mhz) return out;
  for (const Load& load : loads(gpu.room())) {
    if (times.interrupted && times.interrupted()) break;
    const bool possible = std::all_of(load.works.begin(), load.works.end(),
                                      [&](const GpuWork& w) { return gpu.obstacle(w).empty(); });
    if (!possible) continue;
    const Seen seen = hold(gpu, bench, load, times);
    const double rate = seen.seconds > 0 ? seen.executions / seen.seconds : 0;
    if (!seen.watts.empty()) {
      out.push_back(result_of(fmt::format("power/{}", load.name), "W", seen.watts));
      out.back().params = {{"bytes_s", fmt::format("{:.0f}", rate * load.bytes)},
                           {"flop_s", fmt::format("{:.0f}", rate * load.flop)}};
    }
    if (!load.works.empty() && !seen.megahertz.empty())
      out.push_back(result_of(fmt::format("clock/{}", load.name), "MHz", seen.megahertz));
  }
  return out;
}

void fit_energy(Calibration& calibration) {
  const auto idle = power_under(calibration, "idle"), stream = power_under(calibration, "stream"),
             product = power_under(calibration, "product");
  if (!idle || !stream || !product) return;
  const double bytes = parameter(*stream, "bytes_s"), flop = parameter(*product, "flop_s");
  if (!(bytes > 0) || !(flop > 0)) return;
  const double per_byte = std::max(0.0, stream->value - idle->value) / bytes;
  const double per_flop =
      std::max(0.0, product->value - idle->value - per_byte * parameter(*product, "bytes_s")) / flop;
  const auto spread = [](const ProbeResult& p) {
    return p.value > 0 ? (p.p90 - p.p10) / 2.56 / p.value : 0.0;
  };
  model::CalibratedLaw law{.law = "machine/energy"};
  law.values = {{"idle", idle->value, "W", spread(*idle)},
                {"per_byte", 1e9 * per_byte, "nJ/B", std::hypot(spread(*stream), spread(*idle))},
                {"per_flop", 1e9 * per_flop, "nJ/FLOP", std::hypot(spread(*product), spread(*stream))}};
  if (const auto mixed = power_under(calibration, "mixed"); mixed && mixed->value > 0) {
    const double predicted =
        idle->value + per_byte * parameter(*mixed, "bytes_s") + per_flop * parameter(*mixed, "flop_s");
    law.residuals = model::error_statistics(std::vector<double>{predicted / mixed->value});
  }
  calibration.set(std::move(law));
}

}  // namespace roofplan::probe
