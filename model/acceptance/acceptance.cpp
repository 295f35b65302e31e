#include "model/acceptance/acceptance.hpp"

#include "model/acceptance/checks.hpp"
#include "model/acceptance/coverage.hpp"
#include "model/acceptance/scaling.hpp"

#include <algorithm>
#include <set>

namespace roofplan::model {

namespace {

/// A node that says it is busy all the time and yet misses a rate is not healthy because it is busy.
void remark_busy_nodes(const Evidence& evidence, const Promise& promise, Acceptance& acceptance) {
  std::set<std::string> busy;
  for (const DeviceReading& reading : evidence.devices) {
    if (reading.find(DeviceFigure::utilisation).value_or(0) >= *promise.limits->busy)
      busy.insert(reading.place.node);
  }
  std::set<std::string> named;
  for (const Check& check : acceptance.checks) {
    const bool rate = check.unit == "GB/s" || check.unit == "tok/s";
    if (rate && check.measured < check.expected && check.pass == false && busy.contains(check.node) &&
        named.insert(check.node).second)
      acceptance.remarks.push_back(Text("accept.busy_and_slow", {{"node", check.node}}));
  }
}

}  // namespace

std::int64_t Promise::gpus_of_host() const {
  if (system->system_class == System::Class::card) return 1;
  return path.inside ? std::min<std::int64_t>(path.inside->node_ranks, system->accelerators)
                     : system->accelerators;
}

void Check::leave_open(Text why) {
  pass.reset();
  leaves_open = true;
  reason = std::move(why);
}

std::size_t Acceptance::failed_checks() const {
  return static_cast<std::size_t>(
      std::count_if(checks.begin(), checks.end(), [](const Check& c) { return c.pass == false; }));
}

std::size_t Acceptance::failed() const {
  return failed_checks() +
         static_cast<std::size_t>(std::count_if(scaling.begin(), scaling.end(), [](const ScalingVerdict& s) {
           return s.state != ScalingVerdict::State::ok;
         }));
}

std::size_t Acceptance::judged() const {
  return scaling.size() +
         static_cast<std::size_t>(
             std::count_if(checks.begin(), checks.end(), [](const Check& c) { return c.pass.has_value(); }));
}

std::string_view to_text(Acceptance::Verdict verdict) {
  switch (verdict) {
    case Acceptance::Verdict::pass:
      return "pass";
    case Acceptance::Verdict::fail:
      return "fail";
    case Acceptance::Verdict::incomplete:
      return "incomplete";
  }
  return {};
}

std::string_view to_text(ScalingVerdict::State state) {
  switch (state) {
    case ScalingVerdict::State::ok:
      return "ok";
    case ScalingVerdict::State::slow_node:
      return "slow-node";
    case ScalingVerdict::State::slow_fabric:
      return "slow-fabric";
  }
  return {};
}

Acceptance judge(const Evidence& evidence, const Promise& promise) {
  Acceptance acceptance;
  check_collectives(evidence, promise, acceptance);
  compare_collectives(evidence, promise, acceptance);
  check_scaling(evidence, promise, acceptance);
  check_links(evidence, promise, acceptance);
  check_engines(evidence, promise, acceptance);
  check_devices(evidence, promise, acceptance);
  check_topologies(evidence, promise, acceptance);
  check_diagnostics(evidence, promise, acceptance);
  remark_busy_nodes(evidence, promise, acceptance);
  check_coverage(evidence, promise, acceptance);
  return acceptance;
}

Acceptance::Verdict verdict_of(const Acceptance& acceptance, const Evidence& evidence) {
  if (acceptance.failed() > 0 || !acceptance.outliers.empty()) return Acceptance::Verdict::fail;
  const bool damaged =
      std::any_of(evidence.files.begin(), evidence.files.end(), [](const LogFile& f) { return f.damaged(); });
  const bool open = std::any_of(acceptance.checks.begin(), acceptance.checks.end(),
                                [](const Check& c) { return c.leaves_open; });
  return damaged || open || acceptance.missing > 0 || acceptance.judged() == 0
             ? Acceptance::Verdict::incomplete
             : Acceptance::Verdict::pass;
}

}  // namespace roofplan::model
