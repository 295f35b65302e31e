#include "tests/acceptance/bench_logs.hpp"
#include "tests/acceptance/log_sets.hpp"
#include "tests/acceptance/monitor_logs.hpp"
#include "tests/acceptance/promises.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace roofplan;
using namespace roofplan::test;
using model::Collective;
using Verdict = model::Acceptance::Verdict;

namespace {

constexpr double kGiB8 = 8589934592.0;

/// What is wrong with a delivery of H200 nodes; -1: nothing of the kind.
struct Planted {
  int slow_node = -1;     ///< its GPUs exchange and work at three quarters
  int bad_cable = -1;     ///< between this node and the next; on a single node between GPU 2 and 5
  int other_driver = -1;  ///< node with another driver
  int swapped_rank = -1;  ///< this rank and the next are swapped in the run over all nodes
};

double healthy(int ranks) {
  return expected_busbw("dgx-h200", Collective::all_reduce, kGiB8, ranks);
}

std::string run_over(const std::vector<std::string>& hosts, double share, std::uint64_t seed,
                     const std::vector<std::size_t>& swaps = {}) {
  NcclTestsRun run;
  run.ranks = whole_nodes(hosts, 8);
  for (const std::size_t r : swaps) std::swap(run.ranks[r], run.ranks[r + 1]);
  const double busbw = share * healthy(static_cast<int>(run.ranks.size())) * noise(11, seed);
  run.busbw = [busbw](double) { return busbw; };
  run.sizes = {kGiB8};
  return nccl_tests_log(run);
}

/// The logs of an acceptance: each node alone, neighbours in pairs, all together; monitoring and copies of
/// each node. Half of the monitoring comes as one interleaved file, as pdsh collects it.
std::vector<std::pair<std::string, std::string>> log_set(int nodes, const Planted& planted) {
  const std::vector<std::string> hosts = host_names(nodes);
  const auto node_share = [&](int i) { return i == planted.slow_node ? 0.75 : 1.0; };
  std::vector<std::pair<std::string, std::string>> logs, pdsh;
  for (int i = 0; i < nodes; ++i) {
    const std::string& host = hosts[static_cast<std::size_t>(i)];
    const auto seed = static_cast<std::uint64_t>(i);
    logs.emplace_back(host + "-nccl.log", run_over({host}, node_share(i), seed));
    if (i + 1 < nodes) {
      const double share = std::min(node_share(i), node_share(i + 1)) * (i == planted.bad_cable ? 0.5 : 1.0);
      logs.emplace_back("pair" + std::to_string(i),
                        run_over({host, hosts[static_cast<std::size_t>(i) + 1]}, share, 1000 + seed));
    }
    std::vector<MonitoredGpu> gpus = monitored_node();
    for (std::size_t g = 0; g < gpus.size(); ++g) {
      gpus[g].power *= noise(17, seed * 8 + g);
      if (i == planted.slow_node) gpus[g].sm_clock = 1200;
    }
    const std::string driver = i == planted.other_driver ? "575.51.03" : "580.95.05";
    const std::string smi = nvidia_smi_q(gpus, driver);
    if (i % 2 == 0) {
      logs.emplace_back(host + "-nvidia-smi.txt", smi);
    } else {
      pdsh.emplace_back(host + ": ", smi);
    }
    CopyTable copies = copies_between(8, 396.4, static_cast<unsigned>(100 + i));
    if (nodes == 1 && planted.bad_cable >= 0) copies[2][5] = copies[5][2] = 130;
    logs.emplace_back(host + "-nvbandwidth.json",
                      nvbandwidth_json("device_to_device_memcpy_read_ce", copies, driver));
  }
  if (!pdsh.empty()) logs.emplace_back("pdsh.txt", interleaved(pdsh));
  double share = planted.slow_node >= 0 ? 0.75 : 1.0;
  if (planted.bad_cable >= 0 && nodes > 1) share *= 0.5;
  std::vector<std::size_t> swaps;
  if (planted.swapped_rank >= 0) swaps.push_back(static_cast<std::size_t>(planted.swapped_rank));
  logs.emplace_back("all.log", run_over(hosts, share, 5000, swaps));
  return logs;
}

struct Judged {
  model::Acceptance acceptance;
  Verdict verdict;
};

Judged judged(int nodes, const Planted& planted) {
  const model::Evidence evidence = evidence_of(log_set(nodes, planted));
  Judged out{judge(evidence, promise_of("dgx-h200")), Verdict::pass};
  out.verdict = verdict_of(out.acceptance, evidence);
  return out;
}

bool stands_out(const model::Acceptance& acceptance, const std::string& kind, const std::string& node,
                const std::string& part = {}) {
  return std::any_of(acceptance.outliers.begin(), acceptance.outliers.end(), [&](const model::Outlier& o) {
    return o.kind == kind && o.node == node && (part.empty() || o.part == part);
  });
}

std::size_t count_kind(const model::Acceptance& acceptance, const std::string& kind) {
  return static_cast<std::size_t>(std::count_if(acceptance.outliers.begin(), acceptance.outliers.end(),
                                                [&](const model::Outlier& o) { return o.kind == kind; }));
}

const std::vector<int> kCounts{1, 2, 4, 16, 256};

}  // namespace

TEST_CASE("Nothing is found in healthy logs of 1 to 256 nodes", "[acceptance][slow]") {
  for (const int nodes : kCounts) {
    INFO(nodes << " nodes");
    const Judged j = judged(nodes, {});
    for (const model::Check& check : j.acceptance.checks) {
      INFO(check.name << " " << check.node << " " << check.part);
      CHECK(check.pass != false);
    }
    CHECK(j.acceptance.outliers.empty());
    CHECK(j.verdict == Verdict::pass);
  }
}

TEST_CASE("A8: the planted slow node is named at 1 to 256 nodes", "[acceptance][slow]") {
  for (const int nodes : kCounts) {
    INFO(nodes << " nodes");
    Planted planted;
    planted.slow_node = nodes / 2;
    const std::string name = host_names(nodes)[static_cast<std::size_t>(planted.slow_node)];
    const Judged j = judged(nodes, planted);
    CHECK(j.verdict == Verdict::fail);
    const auto rates = checks_named(j.acceptance, "all_reduce.busbw");
    CHECK(std::any_of(rates.begin(), rates.end(),
                      [&](const model::Check& c) { return c.node == name && c.pass == false; }));
    CHECK(std::none_of(rates.begin(), rates.end(), [&](const model::Check& c) {
      return !c.node.empty() && c.node.find(name) == std::string::npos && c.pass == false;
    }));
    if (nodes < 4) continue;  // of two nobody knows which is the odd one
    CHECK(stands_out(j.acceptance, "node", name));
    CHECK(stands_out(j.acceptance, "gpu", name));
    CHECK(std::none_of(j.acceptance.outliers.begin(), j.acceptance.outliers.end(),
                       [&](const model::Outlier& o) { return o.node.find(name) == std::string::npos; }));
  }
}

TEST_CASE("The planted bad cable is named with its two ends at 1 to 256 nodes", "[acceptance][slow]") {
  for (const int nodes : kCounts) {
    INFO(nodes << " nodes");
    Planted planted;
    planted.bad_cable = nodes / 2 - (nodes == 2 ? 1 : 0);
    const Judged j = judged(nodes, planted);
    CHECK(j.verdict == Verdict::fail);
    const std::vector<std::string> hosts = host_names(nodes);
    if (nodes == 1) {
      CHECK(stands_out(j.acceptance, "link", hosts[0], "GPU 2, GPU 5"));
      continue;
    }
    const auto at = static_cast<std::size_t>(planted.bad_cable);
    const std::string ends = hosts[at] + ", " + hosts[at + 1];
    const auto rates = checks_named(j.acceptance, "all_reduce.busbw");
    CHECK(std::any_of(rates.begin(), rates.end(),
                      [&](const model::Check& c) { return c.node == ends && c.pass == false; }));
    if (nodes < 16) continue;  // three pairs of which one is slow
    CHECK(stands_out(j.acceptance, "pair", ends));
    CHECK(j.acceptance.outliers.size() == 1);
  }
}

TEST_CASE("A6: the planted driver is named at 2 to 256 nodes", "[acceptance][slow]") {
  for (const int nodes : kCounts) {
    if (nodes == 1) continue;
    INFO(nodes << " nodes");
    Planted planted;
    planted.other_driver = nodes / 2;
    const Judged j = judged(nodes, planted);
    CHECK(j.verdict == Verdict::fail);
    CHECK(count_kind(j.acceptance, "driver") == 1);
    if (nodes > 2)
      CHECK(stands_out(j.acceptance, "driver", host_names(nodes)[static_cast<std::size_t>(nodes / 2)]));
  }
}

TEST_CASE("The planted swapped rank is named at 1 to 256 nodes", "[acceptance][slow]") {
  for (const int nodes : kCounts) {
    INFO(nodes << " nodes");
    Planted planted;
    planted.swapped_rank = 8 * (nodes / 2) + (nodes == 1 ? 3 : nodes == 2 ? 2 : 7);
    const Judged j = judged(nodes, planted);
    CHECK(j.verdict == Verdict::fail);
    CHECK(count_kind(j.acceptance, "rank") == 2);
    CHECK(j.acceptance.outliers.size() == 2);
    for (const int rank : {planted.swapped_rank, planted.swapped_rank + 1}) {
      const std::string part = "rank " + std::to_string(rank);
      CHECK(std::any_of(j.acceptance.outliers.begin(), j.acceptance.outliers.end(),
                        [&](const model::Outlier& o) { return o.part == part; }));
    }
  }
}
