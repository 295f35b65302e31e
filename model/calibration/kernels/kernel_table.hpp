#pragma once

#include "model/calibration/kernels/law_fit.hpp"
#include "model/calibration/table_layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace roofplan::model {

/// One record of a table of kernels.
class KernelRow {
 public:
  KernelRow(const CsvTable& table, std::size_t row) : table_(table), row_(row) {}

  const std::string& text(std::string_view column) const { return table_.text(row_, table_.column(column)); }
  /// A whole number of at least `low`.
  double number(std::string_view column, long long low = 1) const {
    return static_cast<double>(table_.whole(row_, table_.column(column), low));
  }
  double latency_ms() const { return table_.positive(row_, table_.column("latency_ms")); }

 private:
  const CsvTable& table_;
  std::size_t row_;
};

/// A time with the factor that its 80 % range reaches up and down.
struct KernelPrediction {
  Seconds time;
  double spread = 1.0;
};

/// How one kind of table is read, fitted and predicted. A `variant` is the words of a row that choose the
/// law, such as "nvfp4" or "bfloat16/fp8".
template <class Shape>
struct KernelTable {
  using Model = std::function<KernelPrediction(const Shape&)>;

  std::string name;
  std::vector<std::string> columns;
  std::function<std::string(const KernelRow&)> variant;
  std::function<Shape(const KernelRow&)> shape;
  /// Why no shape can be made of a row; empty text where one can. May be left out.
  std::function<std::string(const KernelRow&)> obstacle = {};
  std::function<std::string(const std::string& variant, const Shape&)> operation;
  /// The laws of a calibration for a variant; an empty function where it has none.
  std::function<Model(const Calibration&, const std::string& variant)> model;
  /// Nothing for a chip that `files` have not, or a format that no law describes.
  std::function<std::vector<CalibratedLaw>(const DataFiles& files, const std::string& system,
                                           const std::string& variant,
                                           const std::vector<KernelPoint<Shape>>&)>
      fit;
};

namespace detail {

template <class Shape>
void predict_row(const KernelTable<Shape>& kind, const KernelRow& row, const Calibration* calibration,
                 const typename KernelTable<Shape>::Model& model, const std::string& variant,
                 RowPrediction& out) {
  out.metric = "latency_ms";
  if (kind.obstacle) out.reason = kind.obstacle(row);
  if (!out.reason.empty()) {
    out.state = RowPrediction::State::unsupported;
    return;
  }
  const Shape shape = kind.shape(row);
  out.operation = kind.operation(variant, shape);
  out.measured = row.latency_ms();
  if (!model) {
    out.state = RowPrediction::State::unsupported;
    out.reason = calibration
                     ? fmt::format("the calibration of {} has no law for {}", out.system, out.operation)
                     : fmt::format("no calibration of the system {}", out.system);
    return;
  }
  const KernelPrediction prediction = model(shape);
  out.predicted = prediction.time / unit::ms;
  out.low = out.predicted / prediction.spread;
  out.high = out.predicted * prediction.spread;
}

template <class Shape>
std::vector<RowPrediction> predict_table(const KernelTable<Shape>& kind, const CsvTable& table,
                                         const CalibrationSet& calibrations) {
  std::map<std::pair<std::string, std::string>, typename KernelTable<Shape>::Model> models;
  std::vector<RowPrediction> out(table.size());
  for (std::size_t i = 0; i < table.size(); ++i) {
    const KernelRow row(table, i);
    out[i].row = i;
    out[i].system = row.text("system");
    const std::string variant = kind.variant(row);
    const Calibration* calibration = calibrations.find(out[i].system);
    const auto [entry, fresh] = models.try_emplace({out[i].system, variant});
    if (fresh && calibration) entry->second = kind.model(*calibration, variant);
    predict_row(kind, row, calibration, entry->second, variant, out[i]);
    if (!calibrations.added(out[i].system)) out[i].subject = out[i].system + " " + out[i].operation;
  }
  return out;
}

template <class Shape>
void fit_tables(const KernelTable<Shape>& kind, std::span<const CsvTable* const> tables,
                const std::string& system, const DataFiles& files, Calibration& into) {
  std::map<std::string, std::vector<KernelPoint<Shape>>> points;
  for (const CsvTable* table : tables) {
    const std::size_t column = table->column("system");
    for (std::size_t i = 0; i < table->size(); ++i) {
      if (table->text(i, column) != system) continue;
      const KernelRow row(*table, i);
      if (kind.obstacle && !kind.obstacle(row).empty()) continue;
      points[kind.variant(row)].push_back({kind.shape(row), row.latency_ms() * unit::ms});
    }
  }
  for (const auto& [variant, own] : points) {
    for (CalibratedLaw& law : kind.fit(files, system, variant, own)) into.set(std::move(law));
  }
}

inline std::vector<std::string> systems_in(const CsvTable& table) {
  std::vector<std::string> out;
  const std::size_t column = table.column("system");
  for (std::size_t i = 0; i < table.size(); ++i) {
    const std::string& system = table.text(i, column);
    if (std::find(out.begin(), out.end(), system) == out.end()) out.push_back(system);
  }
  return out;
}

}  // namespace detail

template <class Shape>
TableLayout kernel_layout(KernelTable<Shape> kind) {
  return {kind.name, kind.columns,
          [kind](const CsvTable& table, const CalibrationSet& calibrations) {
            return detail::predict_table(kind, table, calibrations);
          },
          detail::systems_in,
          [kind](std::span<const CsvTable* const> tables, const std::string& system,
                 const CalibrationSet& calibrations, Calibration& into) {
            detail::fit_tables(kind, tables, system, calibrations.files(), into);
          }};
}

}  // namespace roofplan::model
