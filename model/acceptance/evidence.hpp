#pragma once

#include "model/fabric/collective.hpp"
#include "model/units/byte_count.hpp"
#include "model/units/quantity.hpp"
#include "model/units/text.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace roofplan::model {

/// Where in the logs something stands.
struct LogPlace {
  std::string file;
  long line = 0;
  std::string node;  ///< host where the log or the file's name says it
};

/// One rank of a run of nccl-tests and where it ran.
struct RankPlace {
  int rank = 0;
  std::string host;
  int device = 0;
  std::string bus;   ///< PCI bus id as printed, "0x8d" or "0000:8d:00"
  std::string name;  ///< of the accelerator
};

/// One size of a run of nccl-tests, out of place, else in place.
struct CollectiveRow {
  Bytes bytes;
  int element_bytes = 4;
  Seconds time;
  BytesPerSecond algorithm_rate, bus_rate;
};

/// One run of one of the programs of nccl-tests.
struct CollectiveRun {
  LogPlace place;
  std::optional<Collective> op;  ///< nothing where the log does not say which
  std::vector<RankPlace> ranks;  ///< by rank; empty where the log has lost them
  int rank_count = 0;            ///< as listed, else as the ratio of the two bandwidths says; 0 unknown
  std::vector<CollectiveRow> rows;
  std::int64_t wrong = 0;  ///< elements that came out wrong
  bool alone = false;      ///< several processes that each ran on their own: built without MPI
  std::string library;     ///< "2.30.3+cuda13.0"
  std::string network;     ///< what the library says it uses, "IB", "Socket"
  std::string failure;     ///< first line that reports an error
};

/// What monitoring tools say of an accelerator, each in the unit named. States are 0 or 1.
enum class DeviceFigure {
  utilisation,           ///< 0..1, share of time with a kernel running
  power,                 ///< W
  power_limit,           ///< W, in force
  temperature,           ///< degrees Celsius
  slowdown_temperature,  ///< degrees Celsius, from which the hardware slows down
  sm_clock,              ///< MHz
  memory_total,          ///< bytes
  sm_active,             ///< 0..1, share of time with a warp resident, mean over the SMs
  pcie_width,
  pcie_width_max,
  pcie_replays,
  ecc_uncorrected,
  ecc_uncorrected_lifetime,
  rows_pending,
  rows_failed,
  nvlink_replays,
  nvlink_recoveries,
  nvlink_crc,
  nvlinks_down,
  thermal_slowdown,
  power_brake,
  hardware_slowdown,
  power_cap,     ///< states
  thermal_time,  ///< s, slowed down by heat so far
  power_time,    ///< s, slowed down by the power limit so far
};

/// Key of a figure in checks, "ecc_uncorrected", and its unit.
std::string_view to_text(DeviceFigure figure);
std::string_view unit_of(DeviceFigure figure);

/// One accelerator as a monitoring tool shows it; of several samples the busiest, with the highest counters.
struct DeviceReading {
  LogPlace place;
  std::string gpu;  ///< index, else bus id
  std::string name, driver;
  std::map<DeviceFigure, double> figures;

  std::optional<double> find(DeviceFigure figure) const;
};

/// A result of dcgmi diag.
struct DiagnosticResult {
  LogPlace place;
  std::string test, gpu;
  std::string status;   ///< "Pass", "Fail", "Warn", "Skip", "Not Run"
  std::string warning;  ///< what the tool says about it
};

/// A fault that the driver reported: an Xid of an accelerator, or an SXid of an NVSwitch.
struct DeviceFault {
  LogPlace place;
  std::string gpu;  ///< index or bus id
  int code = 0;
  bool of_switch = false, fatal = true;  ///< `fatal`: an SXid says so itself
  std::string message;
};

/// One cell of a table of nvbandwidth.
struct CopyRate {
  LogPlace place;
  std::string test;  ///< "device_to_device_memcpy_read_ce"
  int row = 0, column = 0;
  BytesPerSecond rate;
};

/// A test of nvbandwidth that ended without a table.
struct CopyFailure {
  LogPlace place;
  std::string test, message;
};

/// The largest message of a run of perftest (ib_write_bw and its kin), per direction.
struct PortRate {
  LogPlace place;
  std::string device;  ///< "mlx5_0"
  Bytes bytes;
  BytesPerSecond rate;
};

/// A row of llama-bench.
struct EngineRate {
  LogPlace place;
  std::string model;  ///< file, else what the program calls it
  std::string kind;   ///< "llama 8B Q4_K - Medium"
  bool prefill = false;
  std::int64_t tokens = 0, depth = 0;
  TokensPerSecond rate;
};

/// A figure of a calibration file of ours, against the datasheet.
struct CalibratedFigure {
  LogPlace place;
  std::string system, name;
  double measured = 0;  ///< in the unit that ends the name
  std::optional<double> datasheet;
  std::optional<bool> reached;
};

/// What lies between the accelerators of a node, and between them and its network cards, as nvidia-smi topo
/// -m shows it: "NV18" NVLinks, "PIX" to "SYS" ever longer ways over PCIe.
struct TopologyMatrix {
  struct Path {
    std::string from, to;  ///< "GPU0", "GPU5" or "NIC2"
    std::string path;
  };
  LogPlace place;
  std::int64_t gpus = 0;
  std::vector<Path> paths;  ///< from accelerators, both directions
};

/// What a log did not yield. The rest of it is judged all the same.
struct LogProblem {
  Text text;
  bool damaged = false;  ///< a known log that is cut or contradicts itself: its part of the verdict is open
};

/// One file of logs.
struct LogFile {
  std::string name;
  std::int64_t bytes = 0;
  long lines = 0;
  std::set<std::string> tools;  ///< whose output was found
  std::vector<LogProblem> problems;

  bool damaged() const {
    for (const LogProblem& p : problems) {
      if (p.damaged) return true;
    }
    return false;
  }
};

/// All that a set of logs says, whatever tool printed it and however it was pasted together.
struct Evidence {
  std::vector<LogFile> files;
  std::vector<CollectiveRun> collectives;
  std::vector<DeviceReading> devices;  ///< each node, accelerator and file once
  std::vector<DiagnosticResult> diagnostics;
  std::vector<CopyRate> copies;
  std::vector<CopyFailure> copy_failures;
  std::vector<PortRate> ports;
  std::vector<EngineRate> engine_rates;
  std::vector<CalibratedFigure> calibrated;
  std::vector<DeviceFault> faults;
  std::vector<TopologyMatrix> topologies;
  std::map<std::string, std::int64_t> attached_gpus;  ///< by node, as the driver counts them

  /// Adds a sample of an accelerator to what is known of it.
  void add(const DeviceReading& sample);

 private:
  std::map<std::string, std::size_t> device_index_;
};

}  // namespace roofplan::model
