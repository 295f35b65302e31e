#include "model/probe/probe.hpp"

#include "model/units/error.hpp"
#include "model/units/unit_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

namespace roofplan::probe {
namespace {

using model::InputError;
using model::ProbeResult;

/// The value of a probe may miss its target by this factor before it is told.
constexpr double kUncertain = 5.0;

double unit_size(const std::string& unit) {
  return model::parse_unit(unit).base;
}

double value_of(const Probe& probe, Seconds time) {
  return (probe.work > 0 ? probe.work / time.base() : time.base()) / unit_size(probe.unit);
}

ProbeResult result_of(const Probe& probe, const Measurement& m) {
  const double low = value_of(probe, m.p10), high = value_of(probe, m.p90);
  return {.name = probe.name,
          .params = probe.params,
          .value = value_of(probe, m.value),
          .unit = probe.unit,
          .median = value_of(probe, m.median),
          .p10 = std::min(low, high),
          .p90 = std::max(low, high),
          .n = m.n};
}

/// What is being measured of one probe.
struct Course {
  Samples samples;
  bool wrong = false;
};

void measure_in_rounds(const std::vector<Probe>& probes, const RunOptions& options,
                       std::vector<Course>& courses) {
  std::mt19937_64 random(options.seed);
  std::vector<std::size_t> order(probes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const std::size_t total = probes.size() * static_cast<std::size_t>(options.rounds);
  std::size_t done = 0;
  for (int round = 0; round < options.rounds; ++round) {
    std::shuffle(order.begin(), order.end(), random);
    for (const std::size_t i : order) {
      if (options.interrupted && options.interrupted()) return;
      const Probe& probe = probes[i];
      if (options.progress) options.progress({done, total, shown(probe)});
      ++done;
      Course& course = courses[i];
      if (course.wrong) continue;
      course.samples.take(probe.sample, options.rule, options.rule.time_limit / options.rounds,
                          options.interrupted, options.now);
      course.wrong = probe.right && !probe.right();
    }
  }
}

}  // namespace

double parameter(const ProbeResult& result, std::string_view name) {
  for (const auto& [key, value] : result.params) {
    if (key == name) return std::stod(value);
  }
  throw InputError(InputError::Kind::content,
                   fmt::format("the probe {} has no parameter \"{}\"", result.name, name));
}

Seconds time_of(const ProbeResult& result, double work) {
  const double value = result.value * unit_size(result.unit);
  return (work > 0 ? work / value : value) * model::unit::s;
}

RunResult run_probes(const std::vector<Probe>& probes, const RunOptions& options) {
  RunResult out;
  std::vector<Course> courses(probes.size());
  measure_in_rounds(probes, options, courses);
  out.interrupted = options.interrupted && options.interrupted();
  for (std::size_t i = 0; i < probes.size(); ++i) {
    const Measurement m = courses[i].samples.summary(options.rule);
    if (out.interrupted && m.n < options.rule.least) continue;
    if (courses[i].wrong) {
      out.notes.push_back(fmt::format("{} computed a wrong result and is left out", shown(probes[i])));
    } else if (m.n == 0) {
      out.notes.push_back(fmt::format("{} gave no time and is left out", shown(probes[i])));
    } else {
      if (std::isfinite(m.relative_error) && m.relative_error > kUncertain * options.rule.relative_error) {
        out.notes.push_back(
            fmt::format("{} is known to {:.0f} % only", shown(probes[i]), 100 * m.relative_error));
      }
      out.probes.push_back(result_of(probes[i], m));
    }
  }
  return out;
}

std::string shown(const Probe& probe) {
  std::string out = probe.name;
  for (const auto& [name, value] : probe.params) out += fmt::format(" {}={}", name, value);
  return out;
}

bool runs_right(const Probe& probe) {
  return probe.sample() > Seconds{} && (!probe.right || probe.right());
}

}  // namespace roofplan::probe
