#include "model/acceptance/checks.hpp"
#include "model/catalog/catalog.hpp"
#include "tests/acceptance/log_sets.hpp"
#include "tests/acceptance/monitor_logs.hpp"
#include "tests/acceptance/promises.hpp"

#include <catch2/catch.hpp>

#include <functional>

using namespace roofplan;
using namespace roofplan::test;
using Gauge = model::DeviceFigure;

namespace {

model::Acceptance accept_h200(const std::vector<std::pair<std::string, std::string>>& logs) {
  return judge(evidence_of(logs), promise_of("dgx-h200"));
}

/// Names of failed checks with the part that failed.
std::vector<std::string> failures(const model::Acceptance& acceptance) {
  std::vector<std::string> out;
  for (const model::Check& check : acceptance.checks) {
    if (check.pass == false) out.push_back(check.name + " " + check.part);
  }
  return out;
}

std::vector<std::string> kinds(const model::Acceptance& acceptance) {
  std::vector<std::string> out;
  for (const model::Outlier& outlier : acceptance.outliers) out.push_back(outlier.kind + " " + outlier.node);
  return out;
}

using Strings = std::vector<std::string>;

/// The failures of a node whose fifth accelerator was changed, in each tool's log.
void check_failure(const std::function<void(MonitoredGpu&)>& change, const std::string& name, bool smi,
                   bool dcgm) {
  INFO(name);
  std::vector<MonitoredGpu> gpus = monitored_node();
  change(gpus[4]);
  if (smi) {
    CHECK(failures(accept_h200({{"n1", nvidia_smi_q(gpus)}})) == Strings{name + " GPU 00000000:9D:00.0"});
    CHECK(failures(accept_h200({{"n1", nvidia_smi_csv(gpus)}})) == Strings{name + " GPU 4"});
  }
  if (dcgm)
    CHECK(failures(accept_h200({{"page", dcgm_exporter_page(gpus, "n1")}})) == Strings{name + " GPU 4"});
}

}  // namespace

TEST_CASE("A healthy busy node passes in the logs of every monitoring tool", "[acceptance]") {
  const auto gpus = monitored_node();
  for (const std::string& log : {nvidia_smi_q(gpus), nvidia_smi_csv(gpus), dcgm_exporter_page(gpus, "n1")}) {
    const model::Evidence evidence = evidence_of({{"n1", log}});
    CHECK(evidence.devices.size() == 8);
    CHECK(evidence.files.front().problems.empty());
    const auto acceptance = judge(evidence, promise_of("dgx-h200"));
    CHECK(failures(acceptance) == Strings{});
    CHECK(acceptance.outliers.empty());
    CHECK(acceptance.judged() >= 4);
    CHECK(checks_named(acceptance, "inventory.gpus").at(0).pass == true);
  }
}

TEST_CASE("The figures of nvidia-smi -q are read below their titles", "[acceptance]") {
  std::vector<MonitoredGpu> gpus = monitored_node();
  gpus[0].ecc_volatile = 3;
  gpus[0].ecc_lifetime = 5;
  const model::Evidence evidence = evidence_of({{"n1", nvidia_smi_q(gpus)}});
  const model::DeviceReading& r = evidence.devices.at(0);
  CHECK(r.name == "NVIDIA H200");
  CHECK(r.driver == "580.95.05");
  CHECK(r.find(Gauge::utilisation) == 1.0);
  CHECK(r.find(Gauge::power) == 640.0);
  CHECK(r.find(Gauge::power_limit) == 700.0);
  CHECK(r.find(Gauge::memory_total) == 143771.0 * 1048576);
  CHECK(r.find(Gauge::sm_clock) == 1980.0);
  CHECK(r.find(Gauge::pcie_width) == 16.0);
  CHECK(r.find(Gauge::ecc_uncorrected) == 3.0);
  CHECK(r.find(Gauge::ecc_uncorrected_lifetime) == 5.0);
  CHECK(r.find(Gauge::thermal_slowdown) == 0.0);
  CHECK(r.find(Gauge::power_time) == Approx(12234.991553));
  CHECK_FALSE(r.find(Gauge::slowdown_temperature).has_value());
}

TEST_CASE("A10: every sign of ill health is found, whatever the utilisation says", "[acceptance]") {
  check_failure([](MonitoredGpu& g) { g.ecc_volatile = 1; }, "device.ecc_uncorrected", true, true);
  check_failure([](MonitoredGpu& g) { g.ecc_lifetime = 2; }, "device.ecc_uncorrected_lifetime", true, false);
  check_failure([](MonitoredGpu& g) { g.thermal = true; }, "device.thermal_slowdown", true, false);
  check_failure([](MonitoredGpu& g) { g.power_brake = true; }, "device.power_brake", true, false);
  check_failure([](MonitoredGpu& g) { g.row_pending = true; }, "device.rows_pending", true, false);
  check_failure([](MonitoredGpu& g) { g.width = 8; }, "device.pcie_width", true, false);
  check_failure([](MonitoredGpu& g) { g.memory_mib = 120000; }, "device.memory", true, false);
  check_failure([](MonitoredGpu& g) { g.power_limit = 500; }, "device.power_limit", true, false);
  check_failure([](MonitoredGpu& g) { g.row_failed = true; }, "device.rows_failed", false, true);
  check_failure([](MonitoredGpu& g) { g.nvlink_replays = 12; }, "device.nvlink_replays", false, true);
  check_failure([](MonitoredGpu& g) { g.thermal_s = 40; }, "device.thermal_time", false, true);
  check_failure([](MonitoredGpu& g) { g.xid = 79; }, "fault.xid", false, true);
}

TEST_CASE("A10: 100 % utilisation with little power or little work is unhealthy", "[acceptance]") {
  std::vector<MonitoredGpu> gpus = monitored_node();
  gpus[4].power = 120;  // below (0.104 + 0.45) / 2 of 700 W = 194 W
  auto acceptance = accept_h200({{"n1", nvidia_smi_csv(gpus)}});
  CHECK(failures(acceptance) == Strings{"device.power_at_work GPU 4"});
  CHECK(number_in(checks_named(acceptance, "device.power_at_work").at(0).expected) == Approx(193.9));
  gpus = monitored_node();
  for (MonitoredGpu& g : gpus) g.sm_active = 0.2;
  CHECK(failures(accept_h200({{"x", dcgm_exporter_page(gpus, "n1")}})).size() == 8);
  for (MonitoredGpu& g : gpus) g.utilisation = 20;
  CHECK(failures(accept_h200({{"x", dcgm_exporter_page(gpus, "n1")}})).empty());
}

TEST_CASE("The hidden slow state of GB10 shows as utilisation without power", "[acceptance]") {
  MonitoredGpu gb10;
  gb10.name = "NVIDIA GB10";
  gb10.memory_mib = 124610;
  gb10.power_limit = 0;
  const auto verdict = [&](double watts, int clock) {
    gb10.power = watts;
    gb10.sm_clock = clock;
    std::string log = nvidia_smi_csv({gb10});
    log.replace(log.find("0.00 W"), 6, "[N/A]");
    const auto acceptance = judge(evidence_of({{"spark", log}}), promise_of("gb10"));
    return checks_named(acceptance, "device.power_at_work").at(0);
  };
  CHECK(verdict(92, 2400).pass == true);
  CHECK(verdict(45, 2400).pass == true);
  CHECK(verdict(19.5, 799).pass == false);
  CHECK(verdict(19.5, 799).reason.key == "accept.device.gb10_slow");
  CHECK(verdict(30, 1500).pass == false);
}

TEST_CASE("A10: a busy node that misses its bus bandwidth is said to be no healthy one", "[acceptance]") {
  NcclTestsRun run;
  run.ranks = whole_nodes({"n1"}, 8);
  run.busbw = [](double) { return 300.0; };
  const auto acceptance =
      accept_h200({{"x", nccl_tests_log(run)}, {"y", dcgm_exporter_page(monitored_node(), "n1")}});
  REQUIRE(acceptance.remarks.size() == 1);
  CHECK(acceptance.remarks[0].key == "accept.busy_and_slow");
}

TEST_CASE("A6: another driver, another product and a missing accelerator are named", "[acceptance]") {
  std::vector<std::pair<std::string, std::string>> logs;
  for (const std::string& host : host_names(5))
    logs.emplace_back(host, nvidia_smi_q(monitored_node(), host == "node004" ? "575.51.03" : "580.95.05"));
  CHECK(kinds(accept_h200(logs)) == Strings{"driver node004"});
  std::vector<MonitoredGpu> gpus = monitored_node();
  gpus.pop_back();
  CHECK(failures(accept_h200({{"n1", nvidia_smi_q(gpus)}})) == Strings{"inventory.gpus "});
  for (MonitoredGpu& g : gpus) g.name = "NVIDIA H100 80GB HBM3";
  CHECK(failures(accept_h200({{"n1", dcgm_exporter_page(gpus, "n1")}})).size() == 8);
}

TEST_CASE("Names of the driver are those of the catalogue's chips", "[acceptance]") {
  const model::Catalog catalog;
  for (const auto& [system, name] :
       {std::pair{"dgx-h100", "NVIDIA H100 80GB HBM3"}, std::pair{"dgx-h200", "NVIDIA H200"},
        std::pair{"dgx-b200", "NVIDIA B200"}, std::pair{"dgx-b300", "NVIDIA B300 SXM6 AC"},
        std::pair{"dgx-a100", "NVIDIA A100-SXM4-80GB"}, std::pair{"gb10", "NVIDIA GB10"},
        std::pair{"gb300-nvl72", "NVIDIA GB300"}, std::pair{"h100-nvl", "NVIDIA H100 NVL"},
        std::pair{"rtx-pro-6000", "NVIDIA RTX PRO 6000 Blackwell Server Edition"},
        std::pair{"rtx-5090", "NVIDIA GeForce RTX 5090"}}) {
    INFO(name);
    CHECK(model::names_chip(name, catalog.systems().find(system).chip) == true);
  }
  const model::Chip& h200 = catalog.systems().find("dgx-h200").chip;
  CHECK(model::names_chip("NVIDIA H100 80GB HBM3", h200) == false);
  CHECK_FALSE(model::names_chip("NVIDIA Graphics Device", h200).has_value());
}

TEST_CASE("A GPU that is slower under the same load stands out", "[acceptance]") {
  std::vector<std::pair<std::string, std::string>> logs;
  for (const std::string& host : host_names(4)) {
    std::vector<MonitoredGpu> gpus = monitored_node();
    for (std::size_t i = 0; i < gpus.size(); ++i) gpus[i].power *= noise(5, i);
    if (host == "node002") gpus[6].sm_clock = 1200;
    logs.emplace_back(host, dcgm_exporter_page(gpus, host));
  }
  const auto acceptance = accept_h200(logs);
  REQUIRE(acceptance.outliers.size() == 1);
  CHECK(acceptance.outliers[0].node == "node002");
  CHECK(acceptance.outliers[0].part == "GPU 6");
  CHECK(acceptance.outliers[0].name == "device.sm_clock");
}

TEST_CASE("Of several samples the busiest counts, with the highest counters", "[acceptance]") {
  std::vector<MonitoredGpu> idle = monitored_node(), busy = monitored_node();
  for (MonitoredGpu& g : idle) {
    g.utilisation = 0;
    g.power = 80;
  }
  idle[0].nvlink_replays = 2;
  const model::Evidence evidence =
      evidence_of({{"x", dcgm_exporter_page(busy, "n1") + dcgm_exporter_page(idle, "n1")}});
  REQUIRE(evidence.devices.size() == 8);
  CHECK(evidence.devices[0].find(Gauge::power) == 640.0);
  CHECK(evidence.devices[0].find(Gauge::nvlink_replays) == 2.0);
}

TEST_CASE("dcgmi diag is read in the layouts of releases 3 and 4", "[acceptance]") {
  for (const int version : {3, 4}) {
    INFO(version);
    const auto good = accept_h200({{"n1", dcgm_diag(version, 8)}});
    CHECK(good.failed() == 0);
    CHECK(checks_named(good, "diagnostic.memory").at(0).pass == true);
    const auto bad =
        accept_h200({{"n1", "starting\n" + marked(dcgm_diag(version, 8, {{"targeted_power", 5}}), "n7: ")}});
    REQUIRE(failures(bad) == Strings{"diagnostic.targeted_power GPU 5"});
    const auto checks = checks_named(bad, "diagnostic.targeted_power");
    CHECK(checks.at(0).node == "n7");
    CHECK(checks.at(0).reason.args.at(0).value ==
          decltype(checks[0].reason.args[0].value)(std::string("Power of GPU is too low")));
  }
}

TEST_CASE("A6: Xids are told apart into those of the hardware and those of the program", "[acceptance]") {
  const auto acceptance =
      accept_h200({{"dmesg",
                    "Nov 30 07:48:16 gpu07 kernel: [12.5] NVRM: Xid (PCI:0000:3b:00): 79, pid=1, GPU has "
                    "fallen off the bus.\n"
                    "Nov 30 07:48:17 gpu07 kernel: [12.6] NVRM: Xid (PCI:0000:3b:00): 79, pid=1, GPU has "
                    "fallen off the bus.\n"
                    "Nov 30 07:48:18 gpu08 kernel: [12.5] NVRM: Xid (PCI:0000:1b:00): 31, pid=2, MMU Fault\n"
                    "Nov 30 07:48:18 gpu08 kernel: [12.5] nvidia-nvswitch0: SXid (PCI:0000:c1:00.0): 12028, "
                    "Non-fatal, Link 36\n"
                    "Nov 30 07:48:18 gpu09 kernel: [12.5] nvidia-nvswitch0: SXid (PCI:0000:c1:00.0): 20034, "
                    "Fatal, Link 36\n"}});
  CHECK(failures(acceptance) == Strings{"fault.xid GPU 0000:3b:00", "fault.sxid NVSwitch 0000:c1:00.0"});
  CHECK(checks_named(acceptance, "fault.xid").at(0).node == "gpu07");
  CHECK(checks_named(acceptance, "fault.xid").at(0).reason.key == "accept.fault.xid79");
  CHECK(checks_named(acceptance, "fault.xid").at(1).reason.key == "accept.fault.program");
}

TEST_CASE("NVLink counters of nvidia-smi nvlink are read", "[acceptance]") {
  const std::string log =
      "GPU 0: NVIDIA H200 (UUID: GPU-aa)\n\t Link 0: Replay Errors: 0\n\t Link 0: Recovery Errors: 0\n"
      "\t Link 0: CRC Errors: 0\n\t Link 1: Replay Errors: 7\n"
      "GPU 1: NVIDIA H200 (UUID: GPU-bb)\n\t Link 0: 26.562 GB/s\n\t Link 1: <inactive>\n";
  const model::Evidence evidence = evidence_of({{"n1", log}});
  REQUIRE(evidence.devices.size() == 2);
  CHECK(evidence.devices[0].find(Gauge::nvlink_replays) == 7.0);
  CHECK(evidence.devices[1].find(Gauge::nvlinks_down) == 1.0);
}
