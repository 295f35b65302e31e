#include "model/acceptance/coverage.hpp"

#include <algorithm>
#include <string_view>

namespace roofplan::model {
namespace {

/// Processes that see one device each all call it device 0; the bus tells them apart.
std::string gpu_of(const RankPlace& rank) {
  return rank.bus.empty() ? std::to_string(rank.device) : rank.bus;
}

Coverage of_collectives(const Evidence& evidence) {
  Coverage out{"nccl_tests", {}};
  for (const CollectiveRun& run : evidence.collectives) {
    if (run.rows.empty() || run.alone) continue;
    for (const RankPlace& rank : run.ranks) out.gpus[rank.host].insert(gpu_of(rank));
    if (!run.ranks.empty()) continue;
    std::set<std::string>& gpus = out.gpus[run.place.node];
    for (int rank = 0; rank < run.rank_count; ++rank) gpus.insert(std::to_string(rank));
  }
  return out;
}

Coverage of_copies(const Evidence& evidence) {
  Coverage out{"nvbandwidth", {}};
  for (const CopyRate& copy : evidence.copies) out.gpus[copy.place.node].insert(std::to_string(copy.column));
  return out;
}

/// A result may be of several accelerators, "0,1,2,3", or of the host.
Coverage of_diagnostics(const Evidence& evidence) {
  Coverage out{"dcgm_diag", {}};
  for (const DiagnosticResult& result : evidence.diagnostics) {
    std::set<std::string>& gpus = out.gpus[result.place.node];
    for (std::string_view rest = result.gpu; !rest.empty();) {
      const std::size_t comma = std::min(rest.find(','), rest.size());
      gpus.emplace(rest.substr(0, comma));
      rest.remove_prefix(std::min(comma + 1, rest.size()));
    }
  }
  return out;
}

Coverage of_readings(const Evidence& evidence) {
  Coverage out{"monitoring", {}};
  for (const DeviceReading& reading : evidence.devices) {
    std::set<std::string>& gpus = out.gpus[reading.place.node];
    if (!reading.gpu.empty()) gpus.insert(reading.gpu);
  }
  return out;
}

template <class Items>
Coverage of_hosts(const char* kind, const Items& items) {
  Coverage out{kind, {}};
  for (const auto& item : items) out.gpus[item.place.node];
  return out;
}

void count_missing(const std::vector<Coverage>& kinds, const Promise& promise, Acceptance& acceptance) {
  if (!promise.count) return;
  const bool cards = promise.system->system_class == System::Class::card;
  const std::int64_t promised = *promise.count * promise.system->accelerators / promise.gpus_of_host();
  std::size_t most = 0;
  for (const Coverage& kind : kinds) most = std::max(most, kind.units(cards));
  const auto seen = static_cast<std::int64_t>(most);
  acceptance.missing = std::max<std::int64_t>(promised - seen, 0);
  if (acceptance.missing == 0) return;
  acceptance.remarks.push_back(Text(cards ? "accept.cards_missing" : "accept.nodes_missing",
                                    {{"seen", seen}, {"promised", promised}}));
}

void check_parts(const Coverage& kind, const Promise& promise, Acceptance& acceptance) {
  const std::int64_t promised = promise.gpus_of_host();
  for (const auto& [host, gpus] : kind.gpus) {
    const auto seen = static_cast<std::int64_t>(gpus.size());
    if (seen == 0 || seen >= promised) continue;
    Check check;
    check.name = "coverage." + kind.kind;
    check.node = host;
    check.measured = static_cast<double>(seen);
    check.expected = static_cast<double>(promised);
    check.unit = "GPUs";
    check.leave_open(Text("accept.coverage", {{"count", promised - seen}, {"promised", promised}}));
    acceptance.checks.push_back(std::move(check));
  }
}

}  // namespace

std::size_t Coverage::units(bool cards) const {
  if (!cards) return gpus.size();
  std::size_t count = 0;
  for (const auto& [host, seen] : gpus) count += std::max<std::size_t>(seen.size(), 1);
  return count;
}

std::vector<Coverage> coverage_of(const Evidence& evidence) {
  return {of_collectives(evidence),
          of_copies(evidence),
          of_diagnostics(evidence),
          of_readings(evidence),
          of_hosts("perftest", evidence.ports),
          of_hosts("llama_bench", evidence.engine_rates),
          of_hosts("topology", evidence.topologies)};
}

void check_coverage(const Evidence& evidence, const Promise& promise, Acceptance& acceptance) {
  const std::vector<Coverage> kinds = coverage_of(evidence);
  count_missing(kinds, promise, acceptance);
  for (const Coverage& kind : kinds) {
    if (kind.kind != "monitoring") check_parts(kind, promise, acceptance);
  }
}

}  // namespace roofplan::model
