#include "model/acceptance/text_reader.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>

namespace roofplan::model {
namespace {

using Gauge = DeviceFigure;

struct QueryKey {
  std::string_view section;  ///< title above it; empty: any
  std::string_view key;
  Gauge figure;
  double factor;  ///< to the figure's unit
};

constexpr double kMiB = 1048576.0;

/// Keys of nvidia-smi -q by the title that stands directly above them.
constexpr std::array<QueryKey, 19> kKeys{{
    {"Utilization", "Gpu", Gauge::utilisation, 0.01},
    {"Utilization", "GPU", Gauge::utilisation, 0.01},
    {"", "Average Power Draw", Gauge::power, 1},
    {"", "Instantaneous Power Draw", Gauge::power, 1},
    {"", "Power Draw", Gauge::power, 1},
    {"", "Current Power Limit", Gauge::power_limit, 1},
    {"", "Enforced Power Limit", Gauge::power_limit, 1},
    {"", "GPU Current Temp", Gauge::temperature, 1},
    {"", "GPU Slowdown Temp", Gauge::slowdown_temperature, 1},
    {"Clocks", "SM", Gauge::sm_clock, 1},
    {"FB Memory Usage", "Total", Gauge::memory_total, kMiB},
    {"Link Width", "Current", Gauge::pcie_width, 1},
    {"Link Width", "Max", Gauge::pcie_width_max, 1},
    {"", "Replays Since Reset", Gauge::pcie_replays, 1},
    {"Clocks Event Reasons Counters", "SW Thermal Slowdown", Gauge::thermal_time, 1e-6},
    {"Clocks Event Reasons Counters", "HW Thermal Slowdown", Gauge::thermal_time, 1e-6},
    {"Clocks Event Reasons Counters", "SW Power Capping", Gauge::power_time, 1e-6},
    {"Clocks Throttle Reasons Counters", "SW Thermal Slowdown", Gauge::thermal_time, 1e-6},
    {"Clocks Throttle Reasons Counters", "HW Thermal Slowdown", Gauge::thermal_time, 1e-6},
}};

struct StateKey {
  std::string_view key;
  Gauge figure;
};

constexpr std::array<StateKey, 7> kStates{{
    {"HW Thermal Slowdown", Gauge::thermal_slowdown},
    {"SW Thermal Slowdown", Gauge::thermal_slowdown},
    {"HW Power Brake Slowdown", Gauge::power_brake},
    {"HW Slowdown", Gauge::hardware_slowdown},
    {"SW Power Cap", Gauge::power_cap},
    {"Pending", Gauge::rows_pending},
    {"Remapping Failure Occurred", Gauge::rows_failed},
}};

bool is_bus_id(std::string_view text) {
  return text.size() >= 12 && text.find_first_not_of("0123456789abcdefABCDEF:.") == std::string_view::npos &&
         text.find(':') != std::string_view::npos;
}

class NvidiaSmiReader : public TextReader {
 public:
  explicit NvidiaSmiReader(const ReadingDesk& desk) : desk_(desk) {}

  void take(const LogLine& line) override {
    const std::string_view text = trimmed(line.text);
    if (text.empty() || line.may_go_on) return;
    if (text.starts_with("GPU ") && take_gpu(text.substr(4), line.number)) return;
    if (text.starts_with("Link ") && take_link(text.substr(5))) return;
    if (!std::isalpha(static_cast<unsigned char>(text.front()))) return;
    const std::size_t colon = text.find(" : ");
    if (colon == std::string_view::npos) {
      if (in_query_ && text.size() < 60 && text.find(':') == std::string_view::npos) take_title(text);
      return;
    }
    take_pair(trimmed(text.substr(0, colon)), trimmed(text.substr(colon + 3)), line.number);
  }

  void finish() override {
    close();
    const std::int64_t missing = attached_ - static_cast<std::int64_t>(shown_.size());
    if (missing > 0 && !shown_.empty())
      desk_.report(
          Text("accept.log.smi_cut", {{"line", attached_line_}, {"attached", attached_}, {"count", missing}}),
          true);
  }

 private:
  bool take_gpu(std::string_view rest, long line) {
    const std::size_t colon = rest.find(": ");
    if (colon != std::string_view::npos && integer_of(rest.substr(0, colon))) {  // nvidia-smi nvlink
      open(std::string(rest.substr(0, colon)), line);
      in_query_ = false;
      reading_.name = trimmed(rest.substr(colon + 2, rest.find(" (UUID") - colon - 2));
    } else if (is_bus_id(rest)) {
      open(std::string(rest), line);
      shown_.insert(reading_.gpu);
      in_query_ = true;
    } else {
      return false;
    }
    return true;
  }

  /// "0: Replay Errors: 0", "0: 26.562 GB/s", "0: <inactive>".
  bool take_link(std::string_view rest) {
    const std::size_t colon = rest.find(": ");
    if (!open_ || in_query_ || colon == std::string_view::npos || !integer_of(rest.substr(0, colon)))
      return false;
    const std::string_view what = trimmed(rest.substr(colon + 2));
    seen_ = true;
    if (what == "<inactive>") reading_.figures[Gauge::nvlinks_down] += 1;
    if (what.ends_with("GB/s")) reading_.figures.try_emplace(Gauge::nvlinks_down, 0.0);
    for (const auto& [key, figure] : {std::pair{"Replay Errors:", Gauge::nvlink_replays},
                                      std::pair{"Recovery Errors:", Gauge::nvlink_recoveries},
                                      std::pair{"CRC Errors:", Gauge::nvlink_crc}}) {
      if (const auto value = behind(what, key))
        reading_.figures[figure] += leading_number(*value).value_or(0);
    }
    return true;
  }

  void take_title(std::string_view title) {
    section_ = title;
    if (title == "Volatile" || title == "Aggregate") scope_ = title;
    if (title == "Retired Pages" || title == "ECC Errors") scope_.clear();
  }

  void take_pair(std::string_view key, std::string_view value, long number) {
    if (key == "Driver Version") {
      driver_ = value;
    } else if (key == "Attached GPUs") {
      const auto count = integer_of(value);
      if (!count) return;
      desk_.evidence->attached_gpus[desk_.node] = *count;
      attached_ = std::max(attached_, *count);
      attached_line_ = number;
    }
    if (!in_query_) return;
    if (key == "Product Name") reading_.name = value;
    for (const QueryKey& k : kKeys) {
      if (k.key == key && (k.section.empty() || k.section == section_)) note(k, value);
    }
    const bool reasons = section_ == "Clocks Event Reasons" || section_ == "Clocks Throttle Reasons" ||
                         section_ == "HW Slowdown";
    for (const StateKey& s : kStates) {
      const bool row = s.figure == Gauge::rows_pending || s.figure == Gauge::rows_failed;
      if (s.key == key && (row ? section_ == "Remapped Rows" : reasons)) note_state(s.figure, value);
    }
    take_ecc(key, value);
  }

  void note(const QueryKey& k, std::string_view value) {
    const auto number = leading_number(value);
    if (!number) return;
    seen_ = true;
    const double amount = *number * k.factor;
    const auto [at, fresh] = reading_.figures.try_emplace(k.figure, amount);
    if (!fresh) at->second = std::max(at->second, amount);
  }

  void note_state(Gauge figure, std::string_view value) {
    if (value == "N/A" || value.empty()) return;
    seen_ = true;
    double& state = reading_.figures[figure];
    if (value == "Active" || value == "Yes") state = 1;
  }

  /// "SRAM Uncorrectable SEC-DED", "DRAM Uncorrectable"; older drivers "Total" below "Double Bit".
  void take_ecc(std::string_view key, std::string_view value) {
    const bool old_total = key == "Total" && section_ == "Double Bit";
    if (scope_.empty() ||
        !(old_total || (key.find("Uncorrectable") != std::string_view::npos && section_ == scope_)))
      return;
    const auto count = integer_of(value);
    if (!count) return;
    seen_ = true;
    reading_.figures[scope_ == "Volatile" ? Gauge::ecc_uncorrected : Gauge::ecc_uncorrected_lifetime] +=
        static_cast<double>(*count);
  }

  void open(std::string gpu, long line) {
    close();
    open_ = true;
    reading_ = DeviceReading{};
    reading_.place = desk_.place(line);
    reading_.gpu = std::move(gpu);
    reading_.driver = driver_;
  }

  void close() {
    if (open_ && (seen_ || !reading_.name.empty())) {
      desk_.file->tools.insert("nvidia-smi");
      desk_.evidence->add(reading_);
    }
    open_ = seen_ = false;
    section_.clear();
    scope_.clear();
  }

  ReadingDesk desk_;
  DeviceReading reading_;
  bool open_ = false, in_query_ = false, seen_ = false;
  std::set<std::string> shown_;  // by nvidia-smi -q
  std::int64_t attached_ = 0;
  long attached_line_ = 0;
  std::string section_, scope_, driver_;
};

}  // namespace

std::unique_ptr<TextReader> nvidia_smi_reader(const ReadingDesk& desk) {
  return std::make_unique<NvidiaSmiReader>(desk);
}

}  // namespace roofplan::model
