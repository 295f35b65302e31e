#include "tests/acceptance/bench_logs.hpp"
#include "tests/acceptance/log_sets.hpp"
#include "tests/acceptance/promises.hpp"

#include <catch2/catch.hpp>
#include <fmt/format.h>

using namespace roofplan;
using namespace roofplan::test;
namespace unit = roofplan::model::unit;

namespace {

constexpr const char* kPeer = "device_to_device_memcpy_read_ce";

model::Acceptance accept_h200(const std::vector<std::pair<std::string, std::string>>& logs) {
  return judge(evidence_of(logs), promise_of("dgx-h200"));
}

}  // namespace

TEST_CASE("Tables of nvbandwidth are the same as text and as JSON", "[acceptance]") {
  const CopyTable table = copies_between(8, 396.4, 1);
  const model::Evidence text = evidence_of({{"n1", nvbandwidth_text(kPeer, table)}});
  const model::Evidence json = evidence_of({{"n1", nvbandwidth_json(kPeer, table)}});
  REQUIRE(text.copies.size() == 56);
  REQUIRE(json.copies.size() == 56);
  for (std::size_t i = 0; i < 56; ++i) {
    CHECK(text.copies[i].row == json.copies[i].row);
    CHECK(text.copies[i].column == json.copies[i].column);
    CHECK(text.copies[i].rate / unit::GB_s == Approx(json.copies[i].rate / unit::GB_s).margin(0.006));
  }
  CHECK(text.copies[8].row == 1);
  CHECK(text.copies[8].column == 2);
  CHECK(text.files[0].problems.empty());
  CHECK(json.files[0].problems.empty());
  CHECK(json.devices.at(0).driver == "580.95.05");
}

TEST_CASE("Copies between H200 as measured pass, and at two thirds they fail with the slowest pair",
          "[acceptance]") {
  CHECK(checks_named(accept_h200({{"n1", nvbandwidth_text(kPeer, copies_between(8, 396.4, 1))}}),
                     fmt::format("copy.{}", kPeer))
            .at(0)
            .pass == true);
  CopyTable table = copies_between(8, 396.4, 1);
  table[2][5] = 200;
  const auto acceptance = accept_h200({{"n1", nvbandwidth_json(kPeer, table)}});
  const auto check = checks_named(acceptance, fmt::format("copy.{}", kPeer)).at(0);
  CHECK(check.pass == false);
  CHECK(check.part == "GPU 2, GPU 5");
  CHECK(number_in(check.expected) == Approx(0.88 * 450));
  REQUIRE(acceptance.outliers.size() == 1);
  CHECK(acceptance.outliers[0].kind == "link");
  CHECK(acceptance.outliers[0].part == "GPU 2, GPU 5");
}

TEST_CASE("Copies above the line rate of NVLink are of another system", "[acceptance]") {
  // 450 GB/s each way between two H200; a B200 has 900.
  const auto above = [](double rate) {
    return checks_named(accept_h200({{"n1", nvbandwidth_text(kPeer, copies_between(8, rate, 1))}}),
                        "copy.line_rate");
  };
  CHECK(above(440).empty());
  const auto checks = above(780);
  REQUIRE(checks.size() == 1);
  CHECK(checks[0].pass == false);
  CHECK(number_in(checks[0].expected) == Approx(450));
}

TEST_CASE("A GPU all of whose copies are slow is named, and not its peers", "[acceptance]") {
  CopyTable table = copies_between(8, 396.4, 1);
  for (std::size_t i = 0; i < 8; ++i) {
    if (i == 3) continue;
    table[3][i] *= 0.7;
    table[i][3] *= 0.7;
  }
  const auto acceptance = accept_h200({{"n1", nvbandwidth_json(kPeer, table)}});
  REQUIRE(acceptance.outliers.size() == 1);
  CHECK(acceptance.outliers[0].kind == "gpu");
  CHECK(acceptance.outliers[0].part == "GPU 3");
}

TEST_CASE("Host copies as Azure measured them pass, and one slow slot stands out", "[acceptance]") {
  CopyTable table(1, std::vector<double>(8, 52));
  auto acceptance = accept_h200({{"n1", nvbandwidth_text("host_to_device_memcpy_ce", table)}});
  CHECK(checks_named(acceptance, "copy.host_to_device_memcpy_ce").at(0).pass == true);
  CHECK(acceptance.outliers.empty());
  table[0][6] = 26;
  acceptance = accept_h200({{"n1", nvbandwidth_text("host_to_device_memcpy_ce", table)}});
  CHECK(checks_named(acceptance, "copy.host_to_device_memcpy_ce").at(0).pass == false);
  REQUIRE(acceptance.outliers.size() == 1);
  CHECK(acceptance.outliers[0].part == "GPU 6");
}

TEST_CASE("Boards whose halves differ by design raise no alarm among each other", "[acceptance]") {
  std::vector<std::pair<std::string, std::string>> logs;
  for (const std::string& host : host_names(4)) {
    CopyTable table = copies_between(8, 26.3, 7);
    for (std::size_t a = 0; a < 8; ++a) {
      for (std::size_t b = 0; b < 8; ++b) {
        if (a != b && a / 4 != b / 4) table[a][b] *= 0.8;
      }
    }
    logs.emplace_back(host, nvbandwidth_text(kPeer, table));
  }
  CHECK(judge(evidence_of(logs), promise_of("l40s")).outliers.empty());
}

TEST_CASE("ib_write_bw is read in both units, and GB10's halves as measured pass", "[acceptance]") {
  for (const bool gbit : {true, false}) {
    const model::Evidence evidence = evidence_of(
        {{"spark", ib_write_bw("rocep1s0f0", 92.6, gbit) + ib_write_bw("roceP2p1s0f0", 97.3, gbit)}});
    REQUIRE(evidence.ports.size() == 2);
    CHECK(evidence.ports[0].rate / unit::Gb_s == Approx(92.6).epsilon(1e-4));
    CHECK(evidence.ports[1].device == "roceP2p1s0f0");
    CHECK(evidence.ports[0].bytes / unit::B == 8388608);
    const auto checks = checks_named(judge(evidence, promise_of("gb10")), "port.bandwidth");
    CHECK(checks.at(0).pass == true);
    CHECK(checks.at(1).pass == true);
  }
  // After a bad start the link of 200 Gb/s gives 13.
  const auto bad = judge(evidence_of({{"spark", ib_write_bw("rocep1s0f0", 13)}}), promise_of("gb10"));
  CHECK(checks_named(bad, "port.bandwidth").at(0).pass == false);
}

TEST_CASE("A slow port among the ports of many nodes is named", "[acceptance]") {
  std::vector<std::pair<std::string, std::string>> logs;
  for (const std::string& host : host_names(8)) {
    std::string log;
    for (int p = 0; p < 8; ++p)
      log += ib_write_bw("mlx5_" + std::to_string(p),
                         (host == "node005" && p == 3 ? 190 : 385) * noise(2, static_cast<std::uint64_t>(p)));
    logs.emplace_back(host, log);
  }
  const auto acceptance = accept_h200(logs);
  REQUIRE(acceptance.outliers.size() == 1);
  CHECK(acceptance.outliers[0].kind == "port");
  CHECK(acceptance.outliers[0].node == "node005");
  CHECK(acceptance.outliers[0].part == "mlx5_3");
  CHECK(acceptance.failed() == 1);
}
