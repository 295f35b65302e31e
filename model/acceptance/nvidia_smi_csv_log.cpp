#include "model/acceptance/text_reader.hpp"

#include <algorithm>
#include <array>

namespace roofplan::model {
namespace {

using Gauge = DeviceFigure;

struct CsvField {
  std::string_view name;  ///< without family and unit
  Gauge figure;
  double factor;
  bool state;
};

constexpr double kMiB = 1048576.0;

constexpr std::array<CsvField, 21> kFields{{
    {"utilization.gpu", Gauge::utilisation, 0.01, false},
    {"draw", Gauge::power, 1, false},
    {"draw.instant", Gauge::power, 1, false},
    {"draw.average", Gauge::power, 1, false},
    {"limit", Gauge::power_limit, 1, false},
    {"enforced.power.limit", Gauge::power_limit, 1, false},
    {"temperature.gpu", Gauge::temperature, 1, false},
    {"clocks.sm", Gauge::sm_clock, 1, false},
    {"clocks.current.sm", Gauge::sm_clock, 1, false},
    {"memory.total", Gauge::memory_total, kMiB, false},
    {"pcie.link.width.current", Gauge::pcie_width, 1, false},
    {"pcie.link.width.max", Gauge::pcie_width_max, 1, false},
    {"ecc.errors.uncorrected.volatile.total", Gauge::ecc_uncorrected, 1, false},
    {"ecc.errors.uncorrected.aggregate.total", Gauge::ecc_uncorrected_lifetime, 1, false},
    {"remapped_rows.pending", Gauge::rows_pending, 1, true},
    {"remapped_rows.failure", Gauge::rows_failed, 1, true},
    {"hw_thermal_slowdown", Gauge::thermal_slowdown, 1, true},
    {"sw_thermal_slowdown", Gauge::thermal_slowdown, 1, true},
    {"hw_power_brake_slowdown", Gauge::power_brake, 1, true},
    {"hw_slowdown", Gauge::hardware_slowdown, 1, true},
    {"sw_power_cap", Gauge::power_cap, 1, true},
}};

/// The field without its unit and without its family; that of the clock reasons changed with the driver.
std::string_view field_name(std::string_view head) {
  head = trimmed(head.substr(0, head.find(" [")));
  for (const std::string_view family : {"clocks_event_reasons.", "clocks_throttle_reasons.", "power."}) {
    if (head.starts_with(family)) head.remove_prefix(family.size());
  }
  return head;
}

std::vector<std::string_view> fields_of(std::string_view line) {
  constexpr std::size_t kMost = 256;
  std::vector<std::string_view> fields;
  while (fields.size() < kMost) {
    const std::size_t comma = line.find(',');
    fields.push_back(trimmed(line.substr(0, comma)));
    if (comma == std::string_view::npos) break;
    line.remove_prefix(comma + 1);
  }
  return fields;
}

/// Names that only nvidia-smi's tables have at their head.
bool is_head(const std::vector<std::string_view>& fields) {
  std::size_t known = 0;
  for (const std::string_view field : fields) {
    const std::string_view name = field_name(field);
    known += name == "driver_version" || name == "pci.bus_id" || name == "uuid" || name == "name" ||
             name == "index" ||
             std::any_of(kFields.begin(), kFields.end(), [&](const CsvField& f) { return f.name == name; });
  }
  return known >= 2 && 2 * known >= fields.size();
}

class NvidiaSmiCsvReader : public TextReader {
 public:
  explicit NvidiaSmiCsvReader(const ReadingDesk& desk) : desk_(desk) {}

  void take(const LogLine& line) override {
    if (line.text.find(',') == std::string_view::npos) {
      if (!line.text.empty()) end_table();
      return;
    }
    const auto fields = fields_of(line.text);
    if (is_head(fields)) {
      end_table();
      names_.assign(fields.begin(), fields.end());
      head_line_ = line.number;
      return;
    }
    if (names_.empty()) return;
    if (fields.size() != names_.size()) {
      if (rows_ > 0 && fields.size() < names_.size())
        desk_.report(Text("accept.log.row", {{"line", line.number}}), true);
      return end_table();
    }
    take_row(fields, line);
  }

  void finish() override { end_table(); }

 private:
  void take_row(const std::vector<std::string_view>& fields, const LogLine& line) {
    DeviceReading reading;
    reading.place = desk_.place(line.number);
    for (std::size_t i = 0; i < fields.size() - (line.may_go_on ? 1 : 0); ++i) {
      const std::string_view name = field_name(names_[i]);
      if (name == "index") reading.gpu = fields[i];
      if (reading.gpu.empty() && (name == "pci.bus_id" || name == "gpu_bus_id" || name == "uuid"))
        reading.gpu = fields[i];
      if (name == "name" || name == "gpu_name") reading.name = fields[i];
      if (name == "driver_version") reading.driver = fields[i];
      for (const CsvField& field : kFields) {
        if (field.name == name) note(field, fields[i], reading);
      }
    }
    // Without any identity the order of the rows tells the accelerators apart.
    if (reading.gpu.empty()) reading.gpu = std::to_string(rows_);
    ++rows_;
    desk_.file->tools.insert("nvidia-smi");
    desk_.evidence->add(reading);
  }

  static void note(const CsvField& field, std::string_view value, DeviceReading& reading) {
    if (field.state) {
      if (value.empty() || value.front() == '[' || value == "N/A") return;
      double& state = reading.figures[field.figure];
      if (value == "Active" || value == "Yes" || value == "1") state = 1;
    } else if (const auto number = leading_number(value)) {
      reading.figures[field.figure] = *number * field.factor;
    }
  }

  void end_table() {
    if (!names_.empty() && rows_ == 0)
      desk_.report(Text("accept.log.no_smi_rows", {{"line", head_line_}}), true);
    names_.clear();
    rows_ = 0;
  }

  ReadingDesk desk_;
  std::vector<std::string> names_;
  long head_line_ = 0;
  std::size_t rows_ = 0;
};

}  // namespace

std::unique_ptr<TextReader> nvidia_smi_csv_reader(const ReadingDesk& desk) {
  return std::make_unique<NvidiaSmiCsvReader>(desk);
}

}  // namespace roofplan::model
