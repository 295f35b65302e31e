#include "tests/acceptance/log_sets.hpp"
#include "tests/acceptance/promises.hpp"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <map>

using namespace roofplan;
using namespace roofplan::test;

namespace {

/// A node as nvidia-smi topo -m prints it, tabs and all: every pair over `links` NVLinks, a card beside each
/// accelerator, two sockets.
struct TopologyPage {
  int gpus = 8;
  int links = 18;
  bool cards = true;
  std::map<std::pair<int, int>, std::string> changed = {};  ///< pairs of accelerators, lower first
  int far_card = -1;                                        ///< the card of this one sits on the other socket
  int rows = -1;                                            ///< cut behind so many; -1: whole
};

std::string path_to_card(const TopologyPage& page, int gpu, int card) {
  const int half = page.gpus / 2;
  const bool same_socket = gpu / half == card / half;
  if (gpu == card) return gpu == page.far_card ? "SYS" : "PXB";
  return same_socket && gpu != page.far_card ? "NODE" : "SYS";
}

std::string topology_page(const TopologyPage& page) {
  std::string out = "\t";
  for (int g = 0; g < page.gpus; ++g) out += fmt::format("\x1b[4mGPU{}\t", g);
  for (int c = 0; page.cards && c < page.gpus; ++c) out += fmt::format("NIC{}\t", c);
  out += "CPU Affinity\tNUMA Affinity\tGPU NUMA ID\x1b[0m\n";
  const int rows = page.rows < 0 ? page.gpus : page.rows;
  for (int g = 0; g < rows; ++g) {
    out += fmt::format("GPU{}\t", g);
    for (int to = 0; to < page.gpus; ++to) {
      const auto found = page.changed.find(std::minmax(g, to));
      const std::string path = found != page.changed.end() ? found->second : fmt::format("NV{}", page.links);
      out += g == to ? " X \t" : path + "\t";
    }
    for (int c = 0; page.cards && c < page.gpus; ++c) out += path_to_card(page, g, c) + "\t";
    out += fmt::format("{}\t{}\t\tN/A\n", g < page.gpus / 2 ? "0-55,112-167" : "56-111,168-223",
                       2 * g / page.gpus);
  }
  if (page.rows >= 0) return out;
  for (int c = 0; page.cards && c < page.gpus; ++c) {
    out += fmt::format("NIC{}\t", c);
    for (int g = 0; g < page.gpus; ++g) out += path_to_card(page, g, c) + "\t";
    for (int to = 0; to < page.gpus; ++to) out += to == c ? " X \t" : "NODE\t";
    out += "\t\t\t\n";
  }
  return out +
         "\nLegend:\n\n  X    = Self\n  SYS  = Connection traversing PCIe as well as the SMP interconnect\n"
         "  NV#  = Connection traversing a bonded set of # NVLinks\n\nNIC Legend:\n\n  NIC0: mlx5_0\n\n";
}

struct Found {
  model::Acceptance acceptance;
  model::Acceptance::Verdict verdict;

  std::vector<std::string> failures() const {
    std::vector<std::string> out;
    for (const model::Check& c : acceptance.checks) {
      if (c.pass == false) out.push_back(fmt::format("{} {} {}", c.name, c.node, c.part));
    }
    return out;
  }
};

Found found(const std::string& system, const std::vector<std::pair<std::string, std::string>>& logs) {
  const model::Evidence evidence = evidence_of(logs);
  Found out{judge(evidence, promise_of(system)), {}};
  out.verdict = verdict_of(out.acceptance, evidence);
  return out;
}

using Strings = std::vector<std::string>;
using Verdict = model::Acceptance::Verdict;

}  // namespace

TEST_CASE("A board whose every pair has all NVLinks passes, with and without cards", "[acceptance]") {
  for (const bool cards : {true, false}) {
    const Found h200 = found("dgx-h200", {{"n1", topology_page({.cards = cards})}});
    CHECK(h200.failures() == Strings{});
    CHECK(h200.verdict == Verdict::pass);
    CHECK(checks_named(h200.acceptance, "topology.nvlink").at(0).pass == true);
    CHECK(checks_named(h200.acceptance, "inventory.gpus").at(0).pass == true);
  }
  CHECK(found("dgx-a100", {{"n1", topology_page({.links = 12})}}).verdict == Verdict::pass);
  CHECK(found("gb300-nvl72", {{"tray1", topology_page({.gpus = 4})}}).verdict == Verdict::pass);
}

TEST_CASE("A pair that is not joined by NVLink is named with its two ends", "[acceptance]") {
  const Found one = found("dgx-h200", {{"n1", topology_page({.changed = {{{2, 5}, "SYS"}}})}});
  CHECK(one.failures() == Strings{"topology.nvlink n1 GPU 2, GPU 5"});
  CHECK(one.verdict == Verdict::fail);
  const Found fewer = found("dgx-h200", {{"n1", topology_page({.changed = {{{0, 7}, "NV17"}}})}});
  REQUIRE(fewer.failures() == Strings{"topology.nvlink n1 GPU 0, GPU 7"});
  CHECK(checks_named(fewer.acceptance, "topology.nvlink").at(0).reason.key == "accept.topology.fewer");
  // A whole board with links down, though all its pairs are alike.
  CHECK(found("dgx-h200", {{"n1", topology_page({.links = 17})}}).verdict == Verdict::fail);
}

TEST_CASE("A GPU that has lost its links to all others is named alone", "[acceptance]") {
  TopologyPage page;
  for (int other = 0; other < 8; ++other) {
    if (other != 3) page.changed[std::minmax(3, other)] = "NODE";
  }
  CHECK(found("dgx-h200", {{"n1", topology_page(page)}}).failures() == Strings{"topology.nvlink n1 GPU 3"});
}

TEST_CASE("A board without NVLink at all, and one with GPUs missing, fail", "[acceptance]") {
  TopologyPage page;
  for (int a = 0; a < 8; ++a)
    for (int b = a + 1; b < 8; ++b) page.changed[{a, b}] = a / 4 == b / 4 ? "NODE" : "SYS";
  CHECK(found("dgx-h200", {{"n1", topology_page(page)}}).failures().size() == 28);  // 8 x 7 / 2
  CHECK(found("dgx-h200", {{"n1", topology_page({.gpus = 6})}}).failures() == Strings{"inventory.gpus n1 "});
}

TEST_CASE("A board with more GPUs than the product has is no delivery of it, and is not judged",
          "[acceptance]") {
  const Found board = found("gb10", {{"n1", topology_page({})}});
  CHECK(board.failures().empty());
  CHECK(board.acceptance.judged() == 0);
  CHECK(checks_named(board.acceptance, "inventory.gpus").at(0).reason.key == "accept.device.more");
}

TEST_CASE("The node whose card sits elsewhere than on the others stands out", "[acceptance]") {
  std::vector<std::pair<std::string, std::string>> logs;
  for (int n = 0; n < 5; ++n)
    logs.emplace_back(fmt::format("gpu{:02}-topo.txt", n), topology_page({.far_card = n == 3 ? 6 : -1}));
  const Found all = found("dgx-h200", logs);
  REQUIRE(all.acceptance.outliers.size() == 1);
  CHECK(all.acceptance.outliers[0].kind == "topology");
  CHECK(all.acceptance.outliers[0].node.find("gpu03") != std::string::npos);
}

TEST_CASE("Cards without NVLink are not judged by it, and a cut matrix leaves the verdict open",
          "[acceptance]") {
  TopologyPage pair{.gpus = 2};
  pair.changed[{0, 1}] = "PHB";
  CHECK(
      checks_named(found("h100-pcie", {{"n1", topology_page(pair)}}).acceptance, "topology.nvlink").empty());
  const model::Evidence evidence = evidence_of({{"n1", topology_page({.rows = 5})}});
  REQUIRE(evidence.files.front().problems.size() == 1);
  CHECK(evidence.files.front().problems.front().text.key == "accept.log.topology_cut");
  CHECK(evidence.files.front().damaged());
  // The matrix of another question, topo -p2p, is not one of ours.
  CHECK(evidence_of({{"n1", "\tGPU0\tGPU1\nGPU0\tX\tOK\nGPU1\tOK\tX\n"}}).topologies.empty());
}

TEST_CASE("Interleaved matrices of several nodes come apart", "[acceptance]") {
  const std::string good = topology_page({}), bad = topology_page({.changed = {{{1, 4}, "PHB"}}});
  const Found both = found("dgx-h200", {{"pdsh.txt", interleaved({{"gpu01: ", good}, {"gpu02: ", bad}})}});
  CHECK(both.failures() == Strings{"topology.nvlink gpu02 GPU 1, GPU 4"});
}
