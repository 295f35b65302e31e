#include "tests/acceptance/monitor_logs.hpp"

#include <fmt/format.h>

#include <array>

namespace roofplan::test {
namespace {

std::string pair(int indent, const std::string& key, const std::string& value) {
  return fmt::format("{:{}}{:<{}}: {}\n", "", indent, key, 51 - indent, value);
}

std::string active(bool on) {
  return on ? "Active" : "Not Active";
}

std::string yes(bool on) {
  return on ? "Yes" : "No";
}

}  // namespace

std::vector<MonitoredGpu> monitored_node() {
  static constexpr std::array<const char*, 8> kBus{"1B", "43", "52", "61", "9D", "C3", "D1", "DF"};
  std::vector<MonitoredGpu> gpus(8);
  for (std::size_t i = 0; i < gpus.size(); ++i) gpus[i].bus = fmt::format("00000000:{}:00.0", kBus[i]);
  return gpus;
}

std::string nvidia_smi_q(const std::vector<MonitoredGpu>& gpus, const std::string& driver) {
  std::string out = "\n==============NVSMI LOG==============\n\n";
  out += pair(0, "Timestamp", "Mon Nov 30 07:48:16 2026") + pair(0, "Driver Version", driver) +
         pair(0, "CUDA Version", "13.0") + "\n" + pair(0, "Attached GPUs", std::to_string(gpus.size()));
  for (const MonitoredGpu& g : gpus) {
    out += "GPU " + g.bus + "\n" + pair(4, "Product Name", g.name) + pair(4, "Persistence Mode", "Enabled");
    out += "    PCI\n" + pair(8, "Bus", "0x1B") + "        GPU Link Info\n            PCIe Generation\n" +
           pair(16, "Max", "5") + pair(16, "Current", "5") + "            Link Width\n" +
           pair(16, "Max", "16x") + pair(16, "Current", fmt::format("{}x", g.width)) +
           pair(8, "Replays Since Reset", "0");
    out += pair(4, "Performance State", "P0") + "    Clocks Event Reasons\n" + pair(8, "Idle", "Not Active") +
           pair(8, "SW Power Cap", "Active") + pair(8, "HW Slowdown", active(g.thermal || g.power_brake)) +
           pair(12, "HW Thermal Slowdown", active(g.thermal)) +
           pair(12, "HW Power Brake Slowdown", active(g.power_brake)) +
           pair(8, "SW Thermal Slowdown", active(g.thermal));
    out += "    Clocks Event Reasons Counters\n" + pair(8, "SW Power Capping", "12234991553 us") +
           pair(8, "SW Thermal Slowdown", fmt::format("{:.0f} us", 1e6 * g.thermal_s));
    out += "    FB Memory Usage\n" + pair(8, "Total", fmt::format("{} MiB", g.memory_mib)) +
           pair(8, "Used", "1 MiB") + "    BAR1 Memory Usage\n" + pair(8, "Total", "262144 MiB");
    out +=
        "    Utilization\n" + pair(8, "GPU", fmt::format("{} %", g.utilisation)) + pair(8, "Memory", "40 %");
    out += "    ECC Errors\n        Volatile\n" + pair(12, "SRAM Correctable", "0") +
           pair(12, "SRAM Uncorrectable Parity", "0") + pair(12, "DRAM Correctable", "2") +
           pair(12, "DRAM Uncorrectable", std::to_string(g.ecc_volatile)) + "        Aggregate\n" +
           pair(12, "SRAM Correctable", "0") +
           pair(12, "DRAM Uncorrectable", std::to_string(g.ecc_lifetime)) +
           "        Aggregate Uncorrectable SRAM Sources\n" + pair(12, "SRAM L2", "0");
    out += "    Remapped Rows\n" + pair(8, "Correctable Error", "0") + pair(8, "Uncorrectable Error", "0") +
           pair(8, "Pending", yes(g.row_pending)) + pair(8, "Remapping Failure Occurred", yes(g.row_failed));
    out += "    Temperature\n" + pair(8, "GPU Current Temp", fmt::format("{} C", g.temperature)) +
           pair(8, "GPU Slowdown Temp", "N/A");
    out += "    GPU Power Readings\n" + pair(8, "Average Power Draw", "N/A") +
           pair(8, "Instantaneous Power Draw", fmt::format("{:.2f} W", g.power)) +
           pair(8, "Current Power Limit", fmt::format("{:.2f} W", g.power_limit)) +
           pair(8, "Max Power Limit", "700.00 W");
    out += "    Clocks\n" + pair(8, "Graphics", "1980 MHz") +
           pair(8, "SM", fmt::format("{} MHz", g.sm_clock)) + "    Max Clocks\n" + pair(8, "SM", "1980 MHz") +
           pair(4, "Processes", "None");
  }
  return out;
}

std::string nvidia_smi_csv(const std::vector<MonitoredGpu>& gpus, const std::string& driver) {
  std::string out =
      "index, name, driver_version, pci.bus_id, utilization.gpu [%], power.draw [W], power.limit [W], "
      "temperature.gpu, "
      "clocks.current.sm [MHz], memory.total [MiB], ecc.errors.uncorrected.volatile.total, "
      "ecc.errors.uncorrected.aggregate.total, clocks_event_reasons.hw_thermal_slowdown, "
      "clocks_event_reasons.sw_thermal_slowdown, clocks_event_reasons.hw_power_brake_slowdown, "
      "remapped_rows.pending, "
      "pcie.link.width.current, pcie.link.width.max\n";
  for (std::size_t i = 0; i < gpus.size(); ++i) {
    const MonitoredGpu& g = gpus[i];
    out += fmt::format(
        "{}, {}, {}, {}, {} %, {:.2f} W, {:.2f} W, {}, {} MHz, {} MiB, {}, {}, {}, {}, {}, {}, {}, 16\n", i,
        g.name, driver, g.bus, g.utilisation, g.power, g.power_limit, g.temperature, g.sm_clock, g.memory_mib,
        g.ecc_volatile, g.ecc_lifetime, active(g.thermal), active(g.thermal), active(g.power_brake),
        yes(g.row_pending), g.width);
  }
  return out;
}

std::string dcgm_exporter_page(const std::vector<MonitoredGpu>& gpus, const std::string& host,
                               const std::string& driver) {
  std::string out;
  const auto metric = [&](const std::string& name, const std::string& kind, auto value) {
    out += fmt::format("# HELP {0} {0}.\n# TYPE {0} {1}\n", name, kind);
    for (std::size_t i = 0; i < gpus.size(); ++i)
      out += fmt::format(
          "{}{{gpu=\"{}\",UUID=\"GPU-{:04}\",pci_bus_id=\"{}\",device=\"nvidia{}\",modelName=\"{}\",Hostname="
          "\"{}\","
          "DCGM_FI_DRIVER_VERSION=\"{}\"}} {}\n",
          name, i, i, gpus[i].bus, i, gpus[i].name, host, driver, value(gpus[i]));
  };
  metric("DCGM_FI_DEV_SM_CLOCK", "gauge", [](const MonitoredGpu& g) { return g.sm_clock; });
  metric("DCGM_FI_DEV_GPU_TEMP", "gauge", [](const MonitoredGpu& g) { return g.temperature; });
  metric("DCGM_FI_DEV_POWER_USAGE", "gauge", [](const MonitoredGpu& g) { return g.power; });
  metric("DCGM_FI_DEV_GPU_UTIL", "gauge", [](const MonitoredGpu& g) { return g.utilisation; });
  metric("DCGM_FI_DEV_XID_ERRORS", "gauge", [](const MonitoredGpu& g) { return g.xid; });
  metric("DCGM_FI_DEV_ECC_DBE_VOL_TOTAL", "counter", [](const MonitoredGpu& g) { return g.ecc_volatile; });
  metric("DCGM_FI_DEV_ROW_REMAP_FAILURE", "gauge",
         [](const MonitoredGpu& g) { return g.row_failed ? 1 : 0; });
  metric("DCGM_FI_DEV_NVLINK_REPLAY_ERROR_COUNT_TOTAL", "counter",
         [](const MonitoredGpu& g) { return g.nvlink_replays; });
  metric("DCGM_FI_DEV_NVLINK_CRC_FLIT_ERROR_COUNT_TOTAL", "counter",
         [](const MonitoredGpu& g) { return g.nvlink_crc; });
  metric("DCGM_FI_DEV_THERMAL_VIOLATION", "counter",
         [](const MonitoredGpu& g) { return static_cast<long long>(1e9 * g.thermal_s); });
  metric("DCGM_FI_DEV_POWER_VIOLATION", "counter", [](const MonitoredGpu&) { return 98200000000LL; });
  metric("DCGM_FI_DEV_PCIE_REPLAY_COUNTER", "counter",
         [](const MonitoredGpu&) { return 9223372036854775794.0; });
  metric("DCGM_FI_PROF_SM_ACTIVE", "gauge", [](const MonitoredGpu& g) { return g.sm_active; });
  return out;
}

std::string dcgm_diag(int version, int gpus, const std::map<std::string, int>& failed) {
  const bool new_layout = version >= 4;
  std::string out = "{\n\t\"";
  out += new_layout ? "DCGM Diagnostic" : "DCGM GPU Diagnostic";
  out += "\" : \n\t{\n\t\t\"test_categories\" : \n\t\t[\n";
  bool first = true;
  for (const auto& [category, test] :
       {std::pair{"Deployment", "software"}, std::pair{"Integration", "pcie"},
        std::pair{"Hardware", "memory"}, std::pair{"Stress", "targeted_power"}}) {
    out += first ? "" : ",\n";
    first = false;
    out += fmt::format(
        "\t\t\t{{\n\t\t\t\t\"category\" : \"{}\",\n\t\t\t\t\"tests\" : "
        "\n\t\t\t\t[\n\t\t\t\t\t{{\n\t\t\t\t\t\t\"name\" : \"{}\",\n\t\t\t\t\t\t\"results\" : "
        "\n\t\t\t\t\t\t[\n",
        category, test);
    const auto bad = failed.find(test);
    for (int g = 0; g < gpus; ++g) {
      const bool fails = bad != failed.end() && bad->second == g;
      const std::string status = fails ? "Fail" : "Pass";
      if (new_layout) {
        const std::string warning =
            fails ? ",\n\t\t\t\t\t\t\t\t\"warnings\" : \n\t\t\t\t\t\t\t\t[\n\t\t\t\t\t\t\t\t\t{ "
                    "\"error_category\" : 7, \"error_id\" : 42, \"warning\" : \"Power of GPU is too low\" "
                    "}\n\t\t\t\t\t\t\t\t]"
                  : "";
        out += fmt::format(
            "\t\t\t\t\t\t\t{{\n\t\t\t\t\t\t\t\t\"entity_group\" : "
            "\"GPU\",\n\t\t\t\t\t\t\t\t\"entity_group_id\" : 1,\n\t\t\t\t\t\t\t\t\"entity_id\" : "
            "{},\n\t\t\t\t\t\t\t\t\"status\" : \"{}\"{}\n\t\t\t\t\t\t\t}}{}\n",
            g, status, warning, g + 1 < gpus ? "," : "");
      } else {
        const std::string warning =
            fails ? ",\n\t\t\t\t\t\t\t\t\"warnings\" : \"Power of GPU is too low\"" : "";
        out += fmt::format(
            "\t\t\t\t\t\t\t{{\n\t\t\t\t\t\t\t\t\"gpu_id\" : \"{}\",\n\t\t\t\t\t\t\t\t\"status\" : "
            "\"{}\"{}\n\t\t\t\t\t\t\t}}{}\n",
            g, status, warning, g + 1 < gpus ? "," : "");
      }
    }
    out += "\t\t\t\t\t\t]";
    if (new_layout)
      out += fmt::format(
          ",\n\t\t\t\t\t\t\"test_summary\" : \n\t\t\t\t\t\t{{\n\t\t\t\t\t\t\t\"status\" : "
          "\"{}\"\n\t\t\t\t\t\t}}",
          bad == failed.end() ? "Pass" : "Fail");
    out += "\n\t\t\t\t\t}\n\t\t\t\t]\n\t\t\t}";
  }
  out += "\n\t\t]\n\t}";
  if (new_layout)
    out +=
        ",\n\t\"metadata\" : \n\t{\n\t\t\"Driver Version Detected\" : \"580.95.05\",\n\t\t\"version\" : "
        "\"4.4.1\"\n\t}";
  return out + "\n}\n";
}

}  // namespace roofplan::test
