#include "model/acceptance/log_reader.hpp"
#include "model/calibration/calibration_file.hpp"
#include "model/report/acceptance_document.hpp"
#include "model/report/writer.hpp"
#include "tests/acceptance/bench_logs.hpp"
#include "tests/acceptance/log_sets.hpp"
#include "tests/acceptance/monitor_logs.hpp"
#include "tests/acceptance/promises.hpp"
#include "tests/fuzz/allocation_peak.hpp"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <random>

using namespace roofplan;
using namespace roofplan::test;
using model::Evidence;
using model::read_log_text;

namespace {

std::vector<std::string> sound_logs() {
  NcclTestsRun run;
  run.ranks = whole_nodes(host_names(2), 8);
  run.busbw = [](double) { return 470.0; };
  const auto gpus = monitored_node();
  model::Calibration calibration;
  calibration.device.system = "h200_sxm";
  return {nccl_tests_log(run),
          nvidia_smi_q(gpus),
          nvidia_smi_csv(gpus),
          dcgm_exporter_page(gpus, "n1"),
          dcgm_diag(3, 8),
          dcgm_diag(4, 8),
          nvbandwidth_text("device_to_device_memcpy_read_ce", copies_between(8, 396, 1)),
          nvbandwidth_json("device_to_device_memcpy_read_ce", copies_between(8, 396, 1)),
          ib_write_bw("mlx5_0", 385),
          llama_bench_json({BenchRow{}}),
          llama_bench_csv({BenchRow{}}),
          llama_bench_markdown({BenchRow{}}),
          calibration_text(calibration)};
}

/// One of the ways in which logs come to harm.
std::string damaged(std::string log, std::mt19937& random) {
  const auto at = [&] { return random() % (log.size() + 1); };
  switch (random() % 9) {
    case 0:
      return log.substr(0, at());
    case 1:
      return log.substr(at());
    case 2:
      for (int i = 0; i < 20 && !log.empty(); ++i) log[random() % log.size()] = static_cast<char>(random());
      return log;
    case 3:
      return log + log.substr(at());
    case 4:
      return log.insert(at(), std::string(100'000, "[{\"9 "[random() % 5]));
    case 5: {  // numbers that lie
      static const char* const kNumbers[] = {"-1",  "1e308", "99999999999999999999", "nan",
                                             "inf", "0",     "0x7fffffff",           ""};
      for (int i = 0; i < 5; ++i) {
        const std::size_t digit = log.find_first_of("0123456789", at());
        if (digit == std::string::npos) continue;
        const std::size_t end = log.find_first_not_of("0123456789.", digit);
        log.replace(digit, end == std::string::npos ? end : end - digit, kNumbers[random() % 8]);
      }
      return log;
    }
    case 6:
      return marked(log, std::to_string(random() % 100) + ": ") +
             marked(log, "host" + std::to_string(random() % 100) + ": ");
    case 7: {  // lines of two copies in turn
      return interleaved({{"", log}, {"", log.substr(log.size() / 3)}});
    }
    default: {
      std::string windows;
      for (const char c : log) windows += c == '\n' ? std::string("\r\n") : std::string(1, c);
      return "\xff\xfe" + windows;
    }
  }
}

}  // namespace

TEST_CASE("Hostile logs are judged or named, and every answer can be written", "[acceptance][slow]") {
  std::mt19937 random(20261130);
  const model::Promise promise = promise_of("dgx-h200");
  const auto& texts = model::report::TextTable::of_language("en");
  int rounds = 0;
  for (const std::string& log : sound_logs()) {
    for (int i = 0; i < 12; ++i, ++rounds) {
      const std::string bad = damaged(log, random);
      INFO("round " << rounds);
      const model::Evidence evidence = evidence_of({{"bad.log", bad}, {"good.log", sound_logs().front()}});
      const model::Acceptance acceptance = judge(evidence, promise);
      // The good log is judged whatever stands beside it.
      const auto rates = checks_named(acceptance, "all_reduce.busbw");
      CHECK(std::any_of(rates.begin(), rates.end(), [](const model::Check& c) { return c.pass == true; }));
      model::report::Document document;
      document.verb = "accept";
      describe_acceptance(document, acceptance, evidence, promise);
      CHECK(write_json(document, texts, {}).find("\"verdict\"") != std::string::npos);
    }
  }
  CHECK(rounds == 156);
}

TEST_CASE("A healthy log cut at any byte is never held against the hardware", "[acceptance][slow]") {
  const model::Promise promise = promise_of("dgx-h200");
  NcclTestsRun run;
  run.ranks = whole_nodes({"n1"}, 8);
  run.busbw = [](double) { return 480.0; };
  const auto gpus = monitored_node();
  const std::vector<std::string> logs{
      nccl_tests_log(run),
      nvidia_smi_q(gpus),
      nvidia_smi_csv(gpus),
      dcgm_exporter_page(gpus, "n1"),
      dcgm_diag(4, 8),
      nvbandwidth_text("device_to_device_memcpy_read_ce", copies_between(8, 396, 1)),
      nvbandwidth_json("device_to_device_memcpy_read_ce", copies_between(8, 396, 1)),
      ib_write_bw("mlx5_0", 385)};
  constexpr std::size_t kLast = 1500;  // bytes of each, which hold every kind of its lines
  for (const std::string& log : logs) {
    for (std::size_t at = log.size() - std::min(kLast, log.size()); at < log.size(); ++at) {
      const model::Evidence evidence = evidence_of({{"n1", log.substr(0, at)}});
      const model::Acceptance acceptance = judge(evidence, promise);
      for (const model::Check& check : acceptance.checks) {
        if (check.name == "inventory.gpus") continue;  // a table lists as many GPUs as it has rows
        INFO(check.name << " " << check.part << " behind \""
                        << log.substr(at - std::min<std::size_t>(at, 60), std::min<std::size_t>(at, 60))
                        << "\"");
        CHECK(check.pass != false);
      }
      CHECK(acceptance.outliers.empty());
    }
  }
}

TEST_CASE("Garbage of any size and without line ends is read in bounded memory", "[acceptance][slow]") {
  std::mt19937_64 random(7);
  std::string block(1 << 16, ' ');
  for (const bool lines : {true, false}) {
    int left = 256;  // 16 MiB
    model::Evidence evidence;
    const AllocationPeak peak;
    model::read_log(
        [&]() -> std::string_view {
          if (left-- == 0) return {};
          for (char& c : block) {
            c = static_cast<char>(random());
            if (!lines && (c == '\n' || c == '\r')) c = 'x';
          }
          return block;
        },
        "garbage", evidence);
    REQUIRE(evidence.files.size() == 1);
    CHECK_FALSE(evidence.files[0].problems.empty());
    CHECK(peak.bytes() < std::int64_t{24} << 20);
  }
}

TEST_CASE("A JSON document that never ends is dropped at its limit", "[acceptance][slow]") {
  model::Evidence evidence;
  std::string block;
  for (int i = 0; i < 2000; ++i) block += "    \"samples\": [ 1, 2, 3 ],\n";
  int left = 450;  // 24 MB
  const AllocationPeak peak;
  model::read_log(
      [&]() -> std::string_view {
        if (left-- == 0) return {};
        return left == 449 ? std::string_view("{\n  \"nvbandwidth\": {\n") : std::string_view(block);
      },
      "endless", evidence);
  REQUIRE(evidence.files[0].problems.size() == 1);
  CHECK(evidence.files[0].problems[0].text.key == "accept.log.json_cut");
  CHECK(peak.bytes() < std::int64_t{80} << 20);
}

TEST_CASE("Compressed, binary and empty files are named as such", "[acceptance]") {
  const model::Evidence evidence = evidence_of({{"a.gz", "\x1f\x8b\x08 compressed"},
                                                {"b", std::string(1000, '\0')},
                                                {"c", ""},
                                                {"d", "just words\n"}});
  const char* const kKeys[] = {"accept.log.compressed", "accept.log.binary", "accept.log.empty",
                               "accept.log.unknown"};
  for (std::size_t i = 0; i < 4; ++i) CHECK(evidence.files[i].problems.at(0).text.key == kKeys[i]);
}

TEST_CASE("Several tools pasted into one file are all found, with a host's heading above each",
          "[acceptance]") {
  const std::string paste = "==> node001.log <==\n" + nvidia_smi_csv(monitored_node()) +
                            "\n==> node002.log <==\n" + dcgm_diag(4, 2) + ib_write_bw("mlx5_0", 385) +
                            llama_bench_markdown({BenchRow{}});
  const model::Evidence evidence = evidence_of({{"paste.txt", paste}});
  CHECK(evidence.files[0].tools ==
        std::set<std::string>{"dcgmi diag", "llama-bench", "nvidia-smi", "perftest"});
  CHECK(evidence.devices.at(0).place.node == "node001.log");
  CHECK(evidence.ports.at(0).place.node == "node002.log");
  CHECK(evidence.files[0].problems.empty());
}

TEST_CASE("bytes that are no text behind a sound log are told, with the line", "[acceptance]") {
  NcclTestsRun run;
  run.ranks = whole_nodes(host_names(1), 8);
  run.busbw = [](double) { return 478.0; };
  const std::string sound = nccl_tests_log(run);
  const long lines = std::count(sound.begin(), sound.end(), '\n');
  std::mt19937 random(7);
  std::string garbage;
  while (garbage.size() < 300) garbage += static_cast<char>(random() % 256);
  const auto problems_of = [](const std::string& text) {
    Evidence evidence;
    read_log_text(text, "node01.log", evidence);
    REQUIRE(evidence.files.size() == 1);
    return evidence.files.front().problems;
  };
  CHECK(problems_of(sound).empty());
  CHECK(problems_of(sound + "\xeb\x85\xb8\xeb\x93\x9c \xc2\xb5s \x1b[31mred\x1b[0m\n").empty());
  const auto problems = problems_of(sound + garbage);
  REQUIRE(problems.size() == 1);
  CHECK(problems.front().text.key == "accept.log.garbled");
  CHECK(model::report::TextTable::of_language("en")
            .of(problems.front().text)
            .find(fmt::format("line {}", lines + 1)) != std::string::npos);
  CHECK(problems_of(sound + std::string(500, '\0')).size() == 1);  // what a crash leaves at a file's end
}

TEST_CASE("nvidia-smi -q that shows fewer GPUs than are attached leaves the verdict open", "[acceptance]") {
  const std::string whole = nvidia_smi_q(monitored_node());
  const auto verdict = [](const std::string& log) {
    const Evidence evidence = evidence_of({{"n1.txt", log}});
    return verdict_of(judge(evidence, promise_of("dgx-h200")), evidence);
  };
  CHECK(verdict(whole) == model::Acceptance::Verdict::pass);
  for (const std::size_t share : {4, 2}) {
    const std::string cut = whole.substr(0, whole.size() / share);
    CHECK(verdict(cut) == model::Acceptance::Verdict::incomplete);
    const Evidence evidence = evidence_of({{"n1.txt", cut}});
    REQUIRE(evidence.files.front().problems.size() == 1);
    CHECK(evidence.files.front().problems.front().text.key == "accept.log.smi_cut");
  }
}

TEST_CASE("a file of another kind is named for what it is", "[acceptance]") {
  const auto told = [](const std::string& text) {
    Evidence evidence;
    read_log_text(text, "node01.log", evidence);
    REQUIRE(evidence.files.front().problems.size() == 1);
    return std::string(evidence.files.front().problems.front().text.key);
  };
  CHECK(told("| NVIDIA-SMI 580.95.05    Driver Version: 580.95.05    CUDA Version: 13.0 |\n") ==
        "accept.log.kind.smi_table");
  CHECK(told("[ ID] Interval           Transfer     Bitrate\n") == "accept.log.kind.iperf");
  CHECK(told("{\"schema\": \"roofplan.scenario\", \"schema_version\": 1}\n") == "accept.log.kind.ours");
  CHECK(told("system,op,dtype,gpus,bytes,latency_ms\n") == "accept.log.kind.table");
  CHECK(told("something else\n") == "accept.log.unknown");
}
