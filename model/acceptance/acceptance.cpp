#include "model/acceptance/acceptance.hpp"

#include "model/acceptance/checks.hpp"
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

/// Nodes, or single cards, that the logs of one kind are of. Kinds may name a node differently (its host
/// name, the file's name) and are therefore not added up.
std::size_t units_seen(const Evidence& evidence, const Promise& promise) {
  const bool cards = promise.system->system_class == System::Class::card;
  std::set<std::string> runs, readings, results, copies, ports, engines, matrices;
  for (const CollectiveRun& run : evidence.collectives) {
    if (!cards || run.ranks.empty()) {
      for (const std::string& host : hosts_of(run)) runs.insert(host);
    } else {
      for (const RankPlace& rank : run.ranks) runs.insert(rank.host + "\n" + std::to_string(rank.device));
    }
  }
  const auto unit_of = [&](const LogPlace& place, const std::string& gpu) {
    return cards ? place.node + "\n" + gpu : place.node;
  };
  for (const DeviceReading& reading : evidence.devices) readings.insert(unit_of(reading.place, reading.gpu));
  for (const DiagnosticResult& result : evidence.diagnostics)
    results.insert(unit_of(result.place, result.gpu));
  for (const CopyRate& copy : evidence.copies)
    copies.insert(unit_of(copy.place, std::to_string(copy.column)));
  for (const PortRate& port : evidence.ports) ports.insert(port.place.node);
  for (const EngineRate& rate : evidence.engine_rates) engines.insert(rate.place.node);
  for (const TopologyMatrix& matrix : evidence.topologies) matrices.insert(matrix.place.node);
  return std::max({runs.size(), readings.size(), results.size(), copies.size(), ports.size(), engines.size(),
                   matrices.size()});
}

void count_missing(const Evidence& evidence, const Promise& promise, Acceptance& acceptance) {
  if (!promise.count) return;
  const std::int64_t promised = *promise.count * promise.system->accelerators / promise.gpus_of_host();
  const auto seen = static_cast<std::int64_t>(units_seen(evidence, promise));
  acceptance.missing = std::max<std::int64_t>(promised - seen, 0);
  if (acceptance.missing == 0) return;
  const bool cards = promise.system->system_class == System::Class::card;
  acceptance.remarks.push_back(Text(cards ? "accept.cards_missing" : "accept.nodes_missing",
                                    {{"seen", seen}, {"promised", promised}}));
}

}  // namespace

std::int64_t Promise::gpus_of_host() const {
  if (system->system_class == System::Class::card) return 1;
  return path.inside ? std::min<std::int64_t>(path.inside->node_ranks, system->accelerators)
                     : system->accelerators;
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
  count_missing(evidence, promise, acceptance);
  return acceptance;
}

Acceptance::Verdict verdict_of(const Acceptance& acceptance, const Evidence& evidence) {
  if (acceptance.failed() > 0 || !acceptance.outliers.empty()) return Acceptance::Verdict::fail;
  const bool damaged =
      std::any_of(evidence.files.begin(), evidence.files.end(), [](const LogFile& f) { return f.damaged(); });
  return damaged || acceptance.missing > 0 || acceptance.judged() == 0 ? Acceptance::Verdict::incomplete
                                                                       : Acceptance::Verdict::pass;
}

}  // namespace roofplan::model
