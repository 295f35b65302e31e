#include "model/acceptance/rank_order.hpp"

#include <algorithm>
#include <map>

namespace roofplan::model {
namespace {

using Hosts = std::vector<std::string>;

template <class T>
const T& majority(const std::vector<T>& values) {
  std::map<T, std::size_t> counts;
  for (const T& value : values) ++counts[value];
  const auto best = std::max_element(counts.begin(), counts.end(),
                                     [](const auto& x, const auto& y) { return x.second < y.second; });
  return *std::find(values.begin(), values.end(), best->first);
}

/// Hosts take turns: rank r runs where rank r - hosts does.
bool takes_turns(const CollectiveRun& run, std::size_t hosts) {
  for (std::size_t r = hosts; r < run.ranks.size(); ++r) {
    if (run.ranks[r].host != run.ranks[r - hosts].host) return false;
  }
  return true;
}

/// Where the ranks of a host run, in order of rank: device numbers as text of equal width, or bus ids where
/// every process sees one device.
std::vector<std::string> places(const std::vector<const RankPlace*>& ranks) {
  const bool numbered = std::any_of(ranks.begin(), ranks.end(),
                                    [&](const RankPlace* r) { return r->device != ranks.front()->device; });
  std::vector<std::string> out;
  for (const RankPlace* r : ranks) {
    std::string number = std::to_string(r->device);
    out.push_back(numbered ? std::string(number.size() < 3 ? 3 - number.size() : 0, ' ') + number : r->bus);
  }
  return out;
}

void check_blocks(const CollectiveRun& run, const Hosts& hosts, std::vector<MisplacedRank>& found) {
  const std::size_t per_host = run.ranks.size() / hosts.size();
  if (per_host < 2 || run.ranks.size() % hosts.size() != 0 || takes_turns(run, hosts.size())) return;
  for (std::size_t block = 0; block < hosts.size(); ++block) {
    Hosts of_block;
    for (std::size_t i = 0; i < per_host; ++i) of_block.push_back(run.ranks[block * per_host + i].host);
    const std::string usual = majority(of_block);
    for (std::size_t i = 0; i < per_host; ++i) {
      const RankPlace& r = run.ranks[block * per_host + i];
      if (r.host != usual) found.push_back({r.rank, r.host, {}, usual, {}});
    }
  }
}

void check_devices(const std::map<std::string, std::vector<const RankPlace*>>& by_host,
                   std::vector<MisplacedRank>& found) {
  std::vector<std::vector<std::string>> orders;
  for (const auto& [host, ranks] : by_host) orders.push_back(places(ranks));
  const std::vector<std::string>& common = majority(orders);
  const auto sharing = static_cast<std::size_t>(std::count(orders.begin(), orders.end(), common));
  const bool meant = orders.size() > 2 && 3 * sharing >= 2 * orders.size();
  for (const auto& [host, ranks] : by_host) {
    const std::vector<std::string> order = places(ranks);
    std::vector<std::string> usual = order;
    std::sort(usual.begin(), usual.end());
    if (meant && std::is_permutation(order.begin(), order.end(), common.begin(), common.end()))
      usual = common;
    for (std::size_t i = 0; i < order.size(); ++i) {
      if (order[i] != usual[i]) found.push_back({ranks[i]->rank, host, order[i], host, usual[i]});
    }
  }
}

}  // namespace

std::vector<MisplacedRank> misplaced_ranks(const CollectiveRun& run) {
  std::vector<MisplacedRank> found;
  if (run.alone || run.ranks.size() < 2 || run.ranks.size() != static_cast<std::size_t>(run.rank_count))
    return found;
  std::map<std::string, std::vector<const RankPlace*>> by_host;
  for (const RankPlace& r : run.ranks) by_host[r.host].push_back(&r);
  Hosts hosts;
  for (const auto& [host, ranks] : by_host) hosts.push_back(host);
  check_blocks(run, hosts, found);
  if (found.empty()) check_devices(by_host, found);
  return found;
}

}  // namespace roofplan::model
