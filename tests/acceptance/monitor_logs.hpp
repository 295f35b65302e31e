#pragma once

#include <map>
#include <string>
#include <vector>

namespace roofplan::test {

/// An accelerator as the monitoring tools show it; healthy and busy H200 unless changed.
struct MonitoredGpu {
  std::string name = "NVIDIA H200", bus = "00000000:1B:00.0";
  int utilisation = 100, temperature = 62, memory_mib = 143771, width = 16;
  double power = 640, power_limit = 700, sm_active = 0.93;
  int sm_clock = 1980;
  int ecc_volatile = 0, ecc_lifetime = 0, nvlink_replays = 0, nvlink_crc = 0, xid = 0;
  bool thermal = false, power_brake = false, row_pending = false, row_failed = false;
  double thermal_s = 0;
};

/// Eight of them with the bus ids of an HGX board.
std::vector<MonitoredGpu> monitored_node();

std::string nvidia_smi_q(const std::vector<MonitoredGpu>& gpus, const std::string& driver = "580.95.05");
std::string nvidia_smi_csv(const std::vector<MonitoredGpu>& gpus, const std::string& driver = "580.95.05");
std::string dcgm_exporter_page(const std::vector<MonitoredGpu>& gpus, const std::string& host,
                               const std::string& driver = "580.95.05");
/// dcgmi diag -j; `failed` maps a test's name to the accelerator that fails it.
std::string dcgm_diag(int version, int gpus, const std::map<std::string, int>& failed = {});

}  // namespace roofplan::test
