#include "model/acceptance/rank_order.hpp"

#include "tests/acceptance/log_sets.hpp"
#include "tests/acceptance/promises.hpp"

#include <catch2/catch.hpp>

using namespace roofplan;
using namespace roofplan::test;

namespace {

std::vector<int> misplaced(const std::vector<TestRank>& ranks) {
  NcclTestsRun run;
  run.ranks = ranks;
  run.busbw = [](double) { return 400.0; };
  const model::Evidence evidence = evidence_of({{"x", nccl_tests_log(run)}});
  std::vector<int> out;
  for (const model::MisplacedRank& m : model::misplaced_ranks(evidence.collectives.at(0)))
    out.push_back(m.rank);
  return out;
}

using Ranks = std::vector<int>;

}  // namespace

TEST_CASE("Ranks in blocks or taking turns, with devices in order, are in their place", "[acceptance]") {
  CHECK(misplaced(whole_nodes(host_names(4), 8)).empty());
  std::vector<TestRank> turns;
  for (int d = 0; d < 8; ++d) {
    for (const std::string& host : host_names(4))
      turns.push_back({host, d, "0000:0" + std::to_string(d) + ":00"});
  }
  CHECK(misplaced(turns).empty());
}

TEST_CASE("Two ranks swapped between hosts are both named", "[acceptance]") {
  std::vector<TestRank> ranks = whole_nodes(host_names(4), 8);
  std::swap(ranks[7], ranks[8]);
  CHECK(misplaced(ranks) == Ranks{7, 8});
}

TEST_CASE("Two ranks swapped inside a host are both named, by device or by bus", "[acceptance]") {
  std::vector<TestRank> ranks = whole_nodes(host_names(4), 8);
  std::swap(ranks[18], ranks[21]);
  CHECK(misplaced(ranks) == Ranks{18, 21});
  for (TestRank& rank : ranks) rank.device = 0;
  CHECK(misplaced(ranks) == Ranks{18, 21});
}

TEST_CASE("An order that all hosts share is meant", "[acceptance]") {
  std::vector<TestRank> ranks = whole_nodes(host_names(4), 8);
  for (std::size_t host = 0; host < 4; ++host) std::swap(ranks[8 * host], ranks[8 * host + 4]);
  CHECK(misplaced(ranks).empty());
  std::swap(ranks[25], ranks[26]);
  CHECK(misplaced(ranks) == Ranks{25, 26});
}
