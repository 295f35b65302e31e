#include "tests/acceptance/log_sets.hpp"
#include "tests/acceptance/monitor_logs.hpp"
#include "tests/acceptance/promises.hpp"

#include <catch2/catch.hpp>

using namespace roofplan;
using namespace roofplan::test;
using model::Collective;
using Verdict = model::Acceptance::Verdict;

namespace {

constexpr double kGiB8 = 8589934592.0;

NcclTestsRun run_at(double busbw, std::vector<TestRank> ranks, Collective op = Collective::all_reduce) {
  NcclTestsRun run;
  run.op = op;
  run.ranks = std::move(ranks);
  run.busbw = [busbw](double) { return busbw; };
  return run;
}

/// Two GB10 on a cable, all-gather at that bus bandwidth.
model::Acceptance two_gb10(double busbw) {
  NcclTestsRun run = run_at(busbw, whole_nodes({"spark-a", "spark-b"}, 1), Collective::all_gather);
  run.device_name = "NVIDIA GB10";
  return judge(evidence_of({{"gb10.log", nccl_tests_log(run)}}), promise_of("gb10"));
}

}  // namespace

TEST_CASE("A run of nccl-tests is read in the layouts of old and new releases", "[acceptance]") {
  for (const auto layout : {NcclTestsRun::Layout::with_root, NcclTestsRun::Layout::without_root}) {
    NcclTestsRun run = run_at(470, whole_nodes({"n1"}, 8));
    run.layout = layout;
    const model::Evidence evidence = evidence_of({{"x.log", nccl_tests_log(run)}});
    REQUIRE(evidence.collectives.size() == 1);
    const model::CollectiveRun& read = evidence.collectives.front();
    CHECK(read.op == Collective::all_reduce);
    CHECK(read.rank_count == 8);
    REQUIRE(read.rows.size() == 2);
    CHECK(read.rows[1].bytes / model::unit::B == kGiB8);
    CHECK(read.rows[1].bus_rate / model::unit::GB_s == Approx(470));
    CHECK(read.rows[1].algorithm_rate / model::unit::GB_s == Approx(470 / 1.75).epsilon(1e-4));
    CHECK(read.ranks[7].bus == "0000:df:00");
    CHECK(read.ranks[7].host == "n1");
    CHECK(read.ranks[7].name == "NVIDIA H200");
    CHECK(read.library == "2.28.9+cuda13.0");
    CHECK(evidence.files.front().problems.empty());
  }
}

TEST_CASE("A healthy node passes and one at two thirds fails, by the model's expectation", "[acceptance]") {
  const model::Promise promise = promise_of("dgx-h200");
  const double expected = expected_busbw("dgx-h200", Collective::all_reduce, kGiB8, 8);
  CHECK(expected == Approx(482).epsilon(0.05));  // measured on H200: 460 to 482 GB/s
  const auto good =
      judge(evidence_of({{"x", nccl_tests_log(run_at(expected * 0.97, whole_nodes({"n1"}, 8)))}}), promise);
  const auto checks = checks_named(good, "all_reduce.busbw");
  REQUIRE(checks.size() == 1);
  CHECK(checks[0].pass == true);
  CHECK(checks[0].node == "n1");
  CHECK(number_in(checks[0].expected) == Approx(expected));
  const auto bad =
      judge(evidence_of({{"x", nccl_tests_log(run_at(expected * 0.66, whole_nodes({"n1"}, 8)))}}), promise);
  CHECK(checks_named(bad, "all_reduce.busbw").at(0).pass == false);
}

TEST_CASE("Published bus bandwidths of healthy machines pass", "[acceptance]") {
  struct Published {
    const char* system;
    int ranks;
    Collective op;
    double bytes, busbw;
  };
  // 8 x H100 479 and 8 x H200 482 GB/s (Azure), a GB200 rack 835 (CoreWeave), two GB10 22.1 (playbooks).
  for (const Published& p : {Published{"dgx-h100", 8, Collective::all_reduce, kGiB8, 478.9},
                             Published{"dgx-h200", 8, Collective::all_reduce, kGiB8, 482},
                             Published{"gb200-nvl72", 72, Collective::all_reduce, kGiB8, 834.6},
                             Published{"gb10", 2, Collective::all_gather, kGiB8 / 2, 22.1}}) {
    INFO(p.system);
    std::vector<std::string> hosts = host_names(p.ranks);
    NcclTestsRun run = run_at(p.busbw, whole_nodes(hosts, 1), p.op);
    if (p.ranks == 8) run.ranks = whole_nodes({"n1"}, 8);
    run.sizes = {p.bytes};
    const auto acceptance = judge(evidence_of({{"x", nccl_tests_log(run)}}), promise_of(p.system));
    CHECK(acceptance.checks.front().pass == true);
  }
}

TEST_CASE("The traps of GB10 are told apart: one half, TCP, a swapped cable", "[acceptance]") {
  CHECK(two_gb10(23.7).checks.front().pass == true);
  CHECK(two_gb10(24.2).checks.front().pass == true);
  const auto reason = [](double busbw) {
    const auto acceptance = two_gb10(busbw);
    CHECK(acceptance.checks.front().pass == false);
    return acceptance.checks.front().reason.key;
  };
  CHECK(reason(13.5) == "accept.links.half");
  CHECK(reason(3.0) == "accept.links.tcp");
  CHECK(reason(2.81) == "accept.links.fault");
  CHECK(reason(7.5) == "accept.below");
}

TEST_CASE("Small messages and a single rank say nothing about rates", "[acceptance]") {
  NcclTestsRun run = run_at(30, whole_nodes({"n1"}, 8));
  run.sizes = {1 << 20};
  auto acceptance = judge(evidence_of({{"x", nccl_tests_log(run)}}), promise_of("dgx-h200"));
  CHECK_FALSE(acceptance.checks.front().pass.has_value());
  CHECK(acceptance.checks.front().reason.key == "accept.collective.small");
  run = run_at(0, whole_nodes({"n1"}, 1));
  run.busbw = [](double) { return 1e-3; };
  acceptance = judge(evidence_of({{"x", nccl_tests_log(run)}}), promise_of("dgx-h200"));
  CHECK_FALSE(acceptance.checks.front().pass.has_value());
}

TEST_CASE("Wrong results fail whatever the rate", "[acceptance]") {
  NcclTestsRun run = run_at(480, whole_nodes({"n1"}, 8));
  run.wrong = 3;
  const auto acceptance = judge(evidence_of({{"x", nccl_tests_log(run)}}), promise_of("dgx-h200"));
  CHECK(checks_named(acceptance, "all_reduce.busbw").at(0).pass == true);
  CHECK(checks_named(acceptance, "collective.results").at(0).pass == false);
}

TEST_CASE("Logs of many nodes in one stream are told apart by what stands in front", "[acceptance]") {
  std::vector<std::pair<std::string, std::string>> parts;
  for (int i = 0; i < 4; ++i)
    parts.emplace_back(std::to_string(i) + ": ",
                       nccl_tests_log(run_at(400 + 10 * i, whole_nodes({"n" + std::to_string(i)}, 8))));
  const model::Evidence evidence = evidence_of({{"all.log", interleaved(parts)}});
  REQUIRE(evidence.collectives.size() == 4);
  for (const model::CollectiveRun& run : evidence.collectives) {
    REQUIRE(run.rows.size() == 2);
    const double node = run.ranks.front().host.back() - '0';
    CHECK(run.rows[1].bus_rate / model::unit::GB_s == Approx(400 + 10 * node));
  }
  CHECK(evidence.files.front().problems.empty());
}

TEST_CASE("A pasted table without its head is judged by the ratio of its two bandwidths", "[acceptance]") {
  std::string log = nccl_tests_log(run_at(480, whole_nodes({"n1"}, 8)));
  log = "$ ./all_reduce_perf -b 1G -e 8G -g 8\n" + log.substr(log.find("NCCL version"));
  const model::Evidence evidence = evidence_of({{"x", log}});
  REQUIRE(evidence.collectives.size() == 1);
  CHECK(evidence.collectives[0].rank_count == 8);
  CHECK(evidence.collectives[0].op == Collective::all_reduce);
}

TEST_CASE("The collective is told by the columns where no program is named", "[acceptance]") {
  for (const int nodes : {1, 4}) {
    for (const Collective op : {Collective::all_reduce, Collective::reduce_scatter, Collective::all_gather}) {
      NcclTestsRun run = run_at(300, whole_nodes(host_names(nodes), 8), op);
      run.says_op = false;
      const std::string log = nccl_tests_log(run);
      CHECK(evidence_of({{"x", log}}).collectives.at(0).op == op);
      // Without the list of ranks too, as far as the digits reach.
      const model::Evidence pasted = evidence_of({{"x", log.substr(log.find("NCCL version"))}});
      CHECK(pasted.collectives.at(0).op == op);
      CHECK(pasted.collectives.at(0).rank_count == 8 * nodes);
    }
  }
  // All-to-all is not checked in place.
  NcclTestsRun run = run_at(300, whole_nodes({"n1"}, 8), Collective::all_to_all);
  run.says_op = false;
  std::string log = nccl_tests_log(run);
  for (std::size_t at = log.find("    0\n"); at != std::string::npos; at = log.find("    0\n", at + 1))
    log.replace(at, 6, "  N/A\n");
  CHECK(evidence_of({{"x", log}}).collectives.at(0).op == Collective::all_to_all);
  // A name that contradicts the ratio of the bandwidths is not believed.
  log = nccl_tests_log(run_at(300, whole_nodes({"n1"}, 8), Collective::all_gather));
  log.replace(log.find("all_gather_perf"), 15, "all_reduce_perf");
  CHECK(evidence_of({{"x", log}}).collectives.at(0).op == Collective::all_gather);
}

TEST_CASE("A bus bandwidth that is not the algorithm's times its factor is left out", "[acceptance]") {
  NcclTestsRun run = run_at(480, whole_nodes({"n1"}, 8));
  std::string log = nccl_tests_log(run);
  const std::size_t last = log.find("480.00", log.rfind("8589934592"));
  REQUIRE(last != std::string::npos);
  log.replace(last, 6, "680.00");
  const model::Evidence evidence = evidence_of({{"x", log}});
  CHECK(evidence.files[0].problems.at(0).text.key == "accept.log.contradicting_run");
  CHECK(evidence.collectives.at(0).rows.size() == 1);
}

TEST_CASE("Processes that ran alone are named as such and not judged", "[acceptance]") {
  NcclTestsRun one = run_at(1e-3, whole_nodes({"n1"}, 1)), two = run_at(1e-3, whole_nodes({"n2"}, 1));
  const model::Evidence evidence =
      evidence_of({{"x", interleaved({{"", nccl_tests_log(one)}, {"", nccl_tests_log(two)}})}});
  REQUIRE_FALSE(evidence.files.front().problems.empty());
  CHECK(evidence.files.front().problems.front().text.key == "accept.log.alone");
  const auto acceptance = judge(evidence, promise_of("dgx-h200"));
  CHECK(acceptance.judged() == 0);
  CHECK(verdict_of(acceptance, evidence) == Verdict::incomplete);
}

TEST_CASE("Cut, garbled and lying logs are named, and the rest of the set is judged", "[acceptance]") {
  const std::string good = nccl_tests_log(run_at(480, whole_nodes({"n1"}, 8)));
  std::string cut = good.substr(0, good.find("  8589934592"));
  std::string lie = good;
  lie.replace(lie.find("480.00"), 6, "480.00");
  const std::size_t algbw = lie.find("274.29");
  REQUIRE(algbw != std::string::npos);
  lie.replace(algbw, 6, "374.29");
  const model::Evidence evidence =
      evidence_of({{"good", good}, {"cut", cut}, {"lie", lie}, {"empty", ""}, {"text", "hello\n"}});
  CHECK(evidence.files[0].problems.empty());
  CHECK(evidence.files[1].problems.at(0).text.key == "accept.log.stopped");
  CHECK(evidence.files[2].problems.at(0).text.key == "accept.log.contradiction");
  CHECK(evidence.files[3].problems.at(0).text.key == "accept.log.empty");
  CHECK(evidence.files[4].problems.at(0).text.key == "accept.log.unknown");
  const auto acceptance = judge(evidence, promise_of("dgx-h200"));
  CHECK(acceptance.failed() == 0);
  CHECK(acceptance.judged() >= 2);
  CHECK(verdict_of(acceptance, evidence) == Verdict::incomplete);
}

TEST_CASE("A library that says it uses sockets between nodes fails the transport", "[acceptance]") {
  NcclTestsRun run = run_at(480, whole_nodes({"n1", "n2"}, 8));
  std::string log = nccl_tests_log(run);
  log.insert(log.find("#\n#     "), "n1:10:20 [0] NCCL INFO Using network Socket\n");
  const auto acceptance = judge(evidence_of({{"x", log}}), promise_of("dgx-h200"));
  CHECK(checks_named(acceptance, "collective.transport").at(0).pass == false);
}

TEST_CASE("Logs of fewer nodes than were bought leave the verdict open, whatever the tool", "[acceptance]") {
  model::Promise promise = promise_of("dgx-h200");
  const std::string one = nccl_tests_log(run_at(480, whole_nodes({"n1"}, 8)));
  const std::string smi = nvidia_smi_q(monitored_node());
  const auto verdict = [&](const std::vector<std::pair<std::string, std::string>>& logs, std::int64_t count) {
    promise.count = count;
    const model::Evidence evidence = evidence_of(logs);
    const auto acceptance = judge(evidence, promise);
    CHECK(acceptance.failed() == 0);
    return verdict_of(acceptance, evidence);
  };
  CHECK(verdict({{"n1", one}}, 1) == Verdict::pass);
  CHECK(verdict({{"n1", one}}, 13) == Verdict::incomplete);
  CHECK(verdict({{"n1", smi}}, 1) == Verdict::pass);
  CHECK(verdict({{"n1", smi}}, 2) == Verdict::incomplete);
  CHECK(verdict({{"n1", smi}, {"n2", smi}}, 2) == Verdict::pass);
  // The inventory of the same node under the name of its file is no second node.
  CHECK(verdict({{"n1", one}, {"inventory", smi}}, 2) == Verdict::incomplete);
}

TEST_CASE("A run of nccl-tests on another product than promised fails", "[acceptance]") {
  for (const auto& [name, same] : {std::pair{"NVIDIA GB10", true}, std::pair{"NVIDIA H100 80GB HBM3", false},
                                   std::pair{"NVIDIA B300", false}}) {
    NcclTestsRun run = run_at(23.7, whole_nodes({"a", "b"}, 1), Collective::all_gather);
    run.device_name = name;
    const model::Evidence evidence = evidence_of({{"x", nccl_tests_log(run)}});
    const auto acceptance = judge(evidence, promise_of("gb10"));
    const auto checks = checks_named(acceptance, "device.model");
    REQUIRE(checks.size() == 2);  // one a node
    CHECK(checks[1].node == "b");
    CHECK(checks[1].pass == same);
    CHECK(verdict_of(acceptance, evidence) == (same ? Verdict::pass : Verdict::fail));
  }
}

TEST_CASE("A bus bandwidth above what the links carry is of another system", "[acceptance]") {
  const auto above = [](const char* system, double busbw, Collective op, const std::vector<TestRank>& ranks) {
    const auto acceptance =
        judge(evidence_of({{"x", nccl_tests_log(run_at(busbw, ranks, op))}}), promise_of(system));
    const auto checks = checks_named(acceptance, std::string(to_text(op)) + ".line_rate");
    if (checks.empty()) return 0.0;
    CHECK(checks[0].pass == false);
    CHECK(checks[0].reason.key == "accept.collective.above");
    return number_in(checks[0].expected);
  };
  const auto node = whole_nodes({"n1"}, 8);
  // 450 GB/s each way; an all-reduce in the switches takes the message in once: 2 x 7/8 x 450 = 787.5.
  CHECK(above("dgx-h200", 840, Collective::all_reduce, node) == Approx(787.5));
  CHECK(above("dgx-h200", 780, Collective::all_reduce, node) == 0);
  CHECK(above("dgx-h200", 650, Collective::all_gather, node) == Approx(450));
  CHECK(above("dgx-h200", 440, Collective::all_gather, node) == 0);
  // Two nodes on eight ports of 50 GB/s: 2 x 15/16 x 400 = 750; the domain and a port give 937.5.
  CHECK(above("dgx-h200", 900, Collective::all_reduce, whole_nodes({"n1", "n2"}, 8)) == Approx(750));
  // One port of 25 GB/s between two GB10; half of an all-gather crosses it.
  CHECK(above("gb10", 470, Collective::all_gather, whole_nodes({"a", "b"}, 1)) == Approx(25));
}
