#include "model/acceptance/checks.hpp"
#include "model/acceptance/outlier_test.hpp"
#include "model/acceptance/rank_order.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

namespace roofplan::model {
namespace {

/// A run held against its like: same collective, largest message, ranks and hosts.
struct PeerRun {
  std::vector<std::string> hosts;
  double rate = 0;  ///< GB/s
};
using PeerKey = std::tuple<std::string, std::string, std::size_t>;  ///< name, detail, hosts

Outlier slow(std::string kind, const PeerKey& key, std::string node, double measured, double usual) {
  Outlier outlier;
  outlier.kind = std::move(kind);
  outlier.name = fmt::format("{} ({})", std::get<0>(key), std::get<1>(key));
  outlier.node = std::move(node);
  outlier.measured = measured;
  outlier.usual = usual;
  outlier.unit = "GB/s";
  outlier.reason = Text("accept.outlier." + outlier.kind);
  return outlier;
}

void compare_pairs(const PeerKey& key, const std::vector<PeerRun>& runs, const AcceptanceLimits& limits,
                   Acceptance& acceptance) {
  std::vector<PairRate> pairs;
  for (const PeerRun& run : runs) pairs.push_back({run.hosts[0], run.hosts[1], run.rate});
  const PairFaults faults = locate_faults(pairs, limits);
  for (const std::string& end : faults.ends) {
    std::vector<double> rates;
    for (const PairRate& pair : pairs) {
      if (pair.a == end || pair.b == end) rates.push_back(pair.rate);
    }
    acceptance.outliers.push_back(slow("node", key, end, robust_spread(rates).median, faults.usual));
  }
  for (const std::size_t i : faults.pairs)
    acceptance.outliers.push_back(
        slow("pair", key, fmt::format("{}, {}", pairs[i].a, pairs[i].b), pairs[i].rate, faults.usual));
}

void compare_groups(const PeerKey& key, const std::vector<PeerRun>& runs, const AcceptanceLimits& limits,
                    Acceptance& acceptance) {
  std::vector<double> rates;
  for (const PeerRun& run : runs) rates.push_back(run.rate);
  const double usual = robust_spread(rates).median;
  for (const std::size_t i : outliers_among(rates, BadSide::low, limits))
    acceptance.outliers.push_back(slow(std::get<2>(key) == 1 ? "node" : "group", key,
                                       fmt::format("{}", fmt::join(runs[i].hosts, ", ")), rates[i], usual));
}

void compare_ranks(const CollectiveRun& run, Acceptance& acceptance) {
  for (const MisplacedRank& rank : misplaced_ranks(run)) {
    Outlier outlier;
    outlier.kind = "rank";
    outlier.name = "rank.order";
    outlier.node = rank.host;
    outlier.part = fmt::format("rank {}", rank.rank);
    outlier.measured = rank.place.empty() ? rank.host : "device" + rank.place;
    outlier.usual = rank.place.empty() ? rank.usual_host : "device" + rank.usual_place;
    outlier.reason = Text("accept.outlier.rank");
    acceptance.outliers.push_back(std::move(outlier));
  }
}

}  // namespace

void compare_words(const std::string& kind, const std::string& name, const std::set<NodeWord>& words,
                   Acceptance& acceptance) {
  std::map<std::string, std::size_t> counts;
  for (const auto& [node, word] : words) ++counts[word];
  if (counts.size() < 2) return;
  const auto usual = std::max_element(counts.begin(), counts.end(),
                                      [](const auto& x, const auto& y) { return x.second < y.second; });
  for (const auto& [node, word] : words) {
    if (word == usual->first) continue;
    Outlier outlier;
    outlier.kind = kind;
    outlier.name = name;
    outlier.node = node;
    outlier.measured = word;
    outlier.usual = usual->first;
    outlier.reason = Text("accept.outlier." + kind);
    acceptance.outliers.push_back(std::move(outlier));
  }
}

void compare_collectives(const Evidence& evidence, const Promise& promise, Acceptance& acceptance) {
  std::map<PeerKey, std::vector<PeerRun>> peers;
  std::set<NodeWord> libraries;
  for (const CollectiveRun& run : evidence.collectives) {
    const std::vector<std::string> hosts = hosts_of(run);
    if (!run.library.empty()) {
      for (const std::string& host : hosts) libraries.emplace(host, run.library);
    }
    compare_ranks(run, acceptance);
    const Check check = rate_check(run, promise);
    if (run.alone || !check.pass || hosts.empty()) continue;
    peers[{check.name, check.detail, hosts.size()}].push_back({hosts, std::get<double>(check.measured)});
  }
  for (const auto& [key, runs] : peers) {
    if (std::get<2>(key) == 2) {
      compare_pairs(key, runs, *promise.limits, acceptance);
    } else {
      compare_groups(key, runs, *promise.limits, acceptance);
    }
  }
  compare_words("library", "nccl.version", libraries, acceptance);
}

}  // namespace roofplan::model
