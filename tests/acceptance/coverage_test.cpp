#include "tests/acceptance/bench_logs.hpp"
#include "tests/acceptance/log_sets.hpp"
#include "tests/acceptance/monitor_logs.hpp"
#include "tests/acceptance/promises.hpp"

#include <catch2/catch.hpp>

using namespace roofplan;
using namespace roofplan::test;
using model::Collective;
using Verdict = model::Acceptance::Verdict;

namespace {

using Logs = std::vector<std::pair<std::string, std::string>>;

/// A healthy all-reduce over those ranks of one DGX H200.
std::string healthy_run(const std::vector<TestRank>& ranks) {
  NcclTestsRun run;
  run.ranks = ranks;
  const double busbw =
      expected_busbw("dgx-h200", Collective::all_reduce, 8589934592.0, static_cast<int>(ranks.size()));
  run.busbw = [busbw](double) { return busbw; };
  return nccl_tests_log(run);
}

/// Ranks from `first` on of a node of eight.
std::vector<TestRank> part_of_node(std::size_t first, std::size_t count) {
  const std::vector<TestRank> all = whole_nodes({"n1"}, 8);
  const auto from = all.begin() + static_cast<std::ptrdiff_t>(first);
  return {from, from + static_cast<std::ptrdiff_t>(count)};
}

/// Accelerators seen by the open check of that tool's coverage; 8 where there is none.
double covered(const Logs& logs, const std::string& tool) {
  const model::Evidence evidence = evidence_of(logs);
  const auto acceptance = judge(evidence, promise_of("dgx-h200"));
  CHECK(acceptance.failed() == 0);
  const auto checks = checks_named(acceptance, "coverage." + tool);
  CHECK(verdict_of(acceptance, evidence) == (checks.empty() ? Verdict::pass : Verdict::incomplete));
  if (checks.empty()) return 8;
  REQUIRE(checks.size() == 1);
  CHECK_FALSE(checks[0].pass.has_value());
  CHECK(checks[0].node == "n1");
  CHECK(number_in(checks[0].expected) == 8);
  return number_in(checks[0].measured);
}

}  // namespace

TEST_CASE("A run over four of eight GPUs passes its rate and leaves the verdict open", "[acceptance]") {
  const Logs half{{"n1", healthy_run(part_of_node(0, 4))}};
  CHECK(covered(half, "nccl_tests") == 4);
  const auto rate = checks_named(judge(evidence_of(half), promise_of("dgx-h200")), "all_reduce.busbw");
  CHECK(rate.at(0).pass == true);
  CHECK(covered({{"n1", healthy_run(part_of_node(0, 8))}}, "nccl_tests") == 8);
}

TEST_CASE("Runs over both halves of a node cover it, and twice over the same half does not", "[acceptance]") {
  const std::string low = healthy_run(part_of_node(0, 4)), high = healthy_run(part_of_node(4, 4));
  CHECK(covered({{"a", low}, {"b", high}}, "nccl_tests") == 8);
  CHECK(covered({{"a", low}, {"b", low}}, "nccl_tests") == 4);
}

TEST_CASE("Processes that each see one device are told apart by the bus", "[acceptance]") {
  std::vector<TestRank> ranks = part_of_node(0, 8);
  for (TestRank& rank : ranks) rank.device = 0;
  CHECK(covered({{"n1", healthy_run(ranks)}}, "nccl_tests") == 8);
}

TEST_CASE("A pasted run whose list of GPUs is lost covers as many as its bandwidths say", "[acceptance]") {
  const std::string log = healthy_run(part_of_node(0, 4));
  CHECK(covered({{"n1", log.substr(log.find("NCCL version"))}}, "nccl_tests") == 4);
}

TEST_CASE("Copies and diagnostics of some of the GPUs leave the verdict open too", "[acceptance]") {
  const char* test = "device_to_device_memcpy_read_ce";
  CHECK(covered({{"n1", nvbandwidth_text(test, copies_between(4, 396.4, 1))}}, "nvbandwidth") == 4);
  CHECK(covered({{"n1", nvbandwidth_text(test, copies_between(8, 396.4, 1))}}, "nvbandwidth") == 8);
  for (const int version : {3, 4}) {
    CHECK(covered({{"n1", dcgm_diag(version, 6)}}, "dcgm_diag") == 6);
    CHECK(covered({{"n1", dcgm_diag(version, 8)}}, "dcgm_diag") == 8);
  }
  // One result of several GPUs, as DCGM 3 writes it.
  const std::string shared =
      R"({"DCGM GPU Diagnostic": {"test_categories": [{"category": "Hardware", "tests": [{"name": "memory",
          "results": [{"gpu_ids": "0,1,2", "status": "Pass"}]}]}]}})";
  CHECK(covered({{"n1", shared}}, "dcgm_diag") == 3);
}

TEST_CASE("Every host of a run is covered by itself, and a box with one GPU always is", "[acceptance]") {
  std::vector<TestRank> ranks = whole_nodes({"n1", "n2"}, 8);
  ranks.resize(12);  // all of n1, half of n2
  const auto open = checks_named(judge(evidence_of({{"x", healthy_run(ranks)}}), promise_of("dgx-h200")),
                                 "coverage.nccl_tests");
  REQUIRE(open.size() == 1);
  CHECK(open[0].node == "n2");
  NcclTestsRun pair;
  pair.op = Collective::all_gather;
  pair.ranks = whole_nodes({"spark-a", "spark-b"}, 1);
  pair.device_name = "NVIDIA GB10";
  pair.busbw = [](double) { return 23.7; };
  const model::Evidence evidence = evidence_of({{"x", nccl_tests_log(pair)}});
  CHECK(verdict_of(judge(evidence, promise_of("gb10")), evidence) == Verdict::pass);
}
