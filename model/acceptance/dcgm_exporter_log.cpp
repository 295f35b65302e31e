#include "model/acceptance/text_reader.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace roofplan::model {
namespace {

using Gauge = DeviceFigure;

struct Metric {
  std::string_view name;  ///< behind DCGM_FI_
  Gauge figure;
  double factor;
};

constexpr double kMiB = 1048576.0;

/// Fields of the exporter's shipped lists, under their names in DCGM 3 and 4.
constexpr std::array<Metric, 27> kMetrics{{
    {"DEV_GPU_UTIL", Gauge::utilisation, 0.01},
    {"DEV_POWER_USAGE", Gauge::power, 1},
    {"DEV_POWER_MGMT_LIMIT", Gauge::power_limit, 1},
    {"DEV_ENFORCED_POWER_LIMIT", Gauge::power_limit, 1},
    {"DEV_GPU_TEMP", Gauge::temperature, 1},
    {"DEV_SLOWDOWN_TEMP", Gauge::slowdown_temperature, 1},
    {"DEV_SM_CLOCK", Gauge::sm_clock, 1},
    {"DEV_FB_TOTAL", Gauge::memory_total, kMiB},
    {"PROF_SM_ACTIVE", Gauge::sm_active, 1},
    {"PROF_SM_UTIL_RATIO", Gauge::sm_active, 1},
    {"DEV_PCIE_LINK_WIDTH", Gauge::pcie_width, 1},
    {"DEV_PCIE_MAX_LINK_WIDTH", Gauge::pcie_width_max, 1},
    {"DEV_PCIE_REPLAY_COUNTER", Gauge::pcie_replays, 1},
    {"DEV_ECC_DBE_VOL_TOTAL", Gauge::ecc_uncorrected, 1},
    {"DEV_ECC_DBE_AGG_TOTAL", Gauge::ecc_uncorrected_lifetime, 1},
    {"DEV_ROW_REMAP_PENDING", Gauge::rows_pending, 1},
    {"DEV_RETIRED_PENDING", Gauge::rows_pending, 1},
    {"DEV_ROW_REMAP_FAILURE", Gauge::rows_failed, 1},
    {"DEV_NVLINK_REPLAY_ERROR_COUNT_TOTAL", Gauge::nvlink_replays, 1},
    {"DEV_NVLINK_REPLAY_ERROR_TOTAL", Gauge::nvlink_replays, 1},
    {"DEV_NVLINK_RECOVERY_ERROR_COUNT_TOTAL", Gauge::nvlink_recoveries, 1},
    {"DEV_NVLINK_RECOVERY_ERROR_TOTAL", Gauge::nvlink_recoveries, 1},
    {"DEV_NVLINK_CRC_FLIT_ERROR_COUNT_TOTAL", Gauge::nvlink_crc, 1},
    {"DEV_NVLINK_CRC_FLIT_ERROR_TOTAL", Gauge::nvlink_crc, 1},
    {"DEV_NVLINK_CRC_DATA_ERROR_COUNT_TOTAL", Gauge::nvlink_crc, 1},
    {"DEV_THERMAL_VIOLATION", Gauge::thermal_time, 1e-9},
    {"DEV_POWER_VIOLATION", Gauge::power_time, 1e-9},
}};

/// Bits of the clocks' event reasons (NVML, nvmlClocksEventReason*).
constexpr std::array<std::pair<std::uint64_t, Gauge>, 5> kReasonBits{{{0x04, Gauge::power_cap},
                                                                      {0x08, Gauge::hardware_slowdown},
                                                                      {0x20, Gauge::thermal_slowdown},
                                                                      {0x40, Gauge::thermal_slowdown},
                                                                      {0x80, Gauge::power_brake}}};

/// Values by which DCGM says that it has none: the largest of 32 and 64 bits and of doubles, and the three
/// above or below that tell why (dcgm_structs.h, DCGM_*_BLANK).
bool is_blank(double value) {
  return (value >= 2147483632.0 && value <= 2147483635.0) ||
         (value >= 140737488355328.0 && value <= 140737488355331.0) || value >= 9.2e18;
}

/// The value of a label, or nothing: gpu="0".
std::optional<std::string_view> label(std::string_view labels, std::string_view name) {
  for (std::size_t at = labels.find(name); at != std::string_view::npos; at = labels.find(name, at + 1)) {
    const bool starts = at == 0 || labels[at - 1] == ',' || labels[at - 1] == '{';
    const std::string_view rest = labels.substr(at + name.size());
    if (!starts || !rest.starts_with("=\"")) continue;
    return rest.substr(2, rest.find('"', 2) - 2);
  }
  return std::nullopt;
}

class DcgmExporterReader : public TextReader {
 public:
  explicit DcgmExporterReader(const ReadingDesk& desk) : desk_(desk) {}

  void take(const LogLine& line) override {
    std::string_view text = trimmed(line.text);
    if (!text.starts_with("DCGM_FI_") || line.may_go_on) return;
    text.remove_prefix(8);
    const std::size_t open = text.find('{'), close = text.rfind('}');
    if (open == std::string_view::npos) return;
    if (close == std::string_view::npos || close < open) return broken(line.number);
    const auto words = words_of(text.substr(close + 1), 2);
    const auto value = words.empty() ? std::nullopt : number_of(words.front());
    if (!value) return broken(line.number);
    take_sample(text.substr(0, open), text.substr(open + 1, close - open - 1), *value, line.number);
  }

  void finish() override {
    for (const auto& [key, scrape] : scrapes_) desk_.evidence->add(scrape.reading);
    scrapes_.clear();
  }

 private:
  /// What one scrape says of one accelerator; a metric that comes again belongs to the next.
  struct Scrape {
    DeviceReading reading;
    std::set<std::string, std::less<>> metrics;
  };

  void broken(long line) { desk_.report(Text("accept.log.metric", {{"line", line}}), true); }

  Scrape& scrape_of(std::string_view name, std::string_view labels, long line) {
    constexpr std::size_t kMost = 65'536;
    const std::string host(label(labels, "Hostname").value_or(desk_.node));
    const std::string gpu(label(labels, "gpu").value_or(""));
    if (scrapes_.size() >= kMost) finish();
    Scrape& scrape = scrapes_[host + "\n" + gpu];
    if (scrape.metrics.contains(name)) {
      desk_.evidence->add(scrape.reading);
      scrape = Scrape{};
    }
    scrape.metrics.emplace(name);
    if (scrape.metrics.size() == 1) {
      scrape.reading.place = {desk_.file->name, line, host};
      scrape.reading.gpu = gpu;
      scrape.reading.name = label(labels, "modelName").value_or("");
      scrape.reading.driver = label(labels, "DCGM_FI_DRIVER_VERSION").value_or("");
    }
    return scrape;
  }

  void take_sample(std::string_view name, std::string_view labels, double value, long line) {
    desk_.file->tools.insert("dcgm-exporter");
    if (is_blank(value)) return;
    DeviceReading& reading = scrape_of(name, labels, line).reading;
    if (name == "DEV_XID_ERRORS" && value > 0) {
      desk_.evidence->faults.push_back({reading.place, reading.gpu, static_cast<int>(std::min(value, 1e6)),
                                        false, true, std::string(label(labels, "err_msg").value_or(""))});
    } else if (name == "DEV_CLOCK_THROTTLE_REASONS" || name == "DEV_CLOCKS_EVENT_REASONS") {
      for (const auto& [bit, figure] : kReasonBits) {
        double& state = reading.figures[figure];
        if (static_cast<std::uint64_t>(std::clamp(value, 0.0, 1e15)) & bit) state = 1;
      }
    }
    for (const Metric& metric : kMetrics) {
      if (metric.name == name) reading.figures[metric.figure] += value * metric.factor;
    }
  }

  ReadingDesk desk_;
  std::map<std::string, Scrape> scrapes_;
};

}  // namespace

std::unique_ptr<TextReader> dcgm_exporter_reader(const ReadingDesk& desk) {
  return std::make_unique<DcgmExporterReader>(desk);
}

}  // namespace roofplan::model
