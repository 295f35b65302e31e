#include "model/calibration/validate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace roofplan::model {
namespace {

/// Rows of one group while they are counted.
struct Tally {
  std::vector<double> ratios;
  std::size_t unsupported = 0, undetermined = 0, excluded = 0;

  void count(const RowPrediction& row) {
    switch (row.state) {
      case RowPrediction::State::predicted:
        ratios.push_back(row.predicted / row.measured);
        break;
      case RowPrediction::State::unsupported:
        ++unsupported;
        break;
      case RowPrediction::State::undetermined:
        ++undetermined;
        break;
      case RowPrediction::State::excluded:
        ++excluded;
        break;
    }
  }

  ValidationScore score() const { return {error_statistics(ratios), unsupported, undetermined, excluded}; }
};

}  // namespace

Validation validate(std::span<const RowPrediction> rows) {
  using Key = std::tuple<std::string, std::string, std::string, std::string, std::string>;
  Validation out;
  std::vector<Tally> metrics, groups;
  std::map<std::string, std::size_t> metric_index;
  std::map<Key, std::size_t> group_index;
  for (const RowPrediction& row : rows) {
    const auto [metric, new_metric] = metric_index.emplace(row.metric, metrics.size());
    if (new_metric) {
      metrics.emplace_back();
      out.overall.emplace_back(row.metric, ValidationScore{});
    }
    metrics[metric->second].count(row);
    const auto [group, new_group] =
        group_index.emplace(Key{row.system, row.model, row.engine, row.operation, row.metric}, groups.size());
    if (new_group) {
      groups.emplace_back();
      out.groups.push_back({row.system, row.model, row.engine, row.operation, row.metric, {}});
    }
    groups[group->second].count(row);
    if (row.state != RowPrediction::State::predicted) ++out.reasons[row.reason];
  }
  for (std::size_t i = 0; i < metrics.size(); ++i) out.overall[i].second = metrics[i].score();
  for (std::size_t i = 0; i < groups.size(); ++i) out.groups[i].score = groups[i].score();
  return out;
}

std::vector<RowPrediction> replay_rows(const Calibration& calibration) {
  std::vector<RowPrediction> rows;
  for (const ReplayResult& replay : calibration.replay) {
    RowPrediction row;
    row.row = rows.size();
    row.metric = "step_s";
    row.system = calibration.device.system;
    row.model = replay.model;
    row.measured = replay.measured_s;
    row.predicted = row.low = row.high = replay.predicted_s;
    rows.push_back(std::move(row));
  }
  return rows;
}

std::string predictions_csv(const CsvTable& table, std::span<const RowPrediction> rows) {
  std::vector<const RowPrediction*> by_row(table.size(), nullptr);
  for (const RowPrediction& row : rows) by_row[row.row] = &row;
  std::string out;
  for (const std::string& column : table.columns()) out += csv_field(column) + ",";
  out += "predicted,low,high,reason\r\n";
  for (std::size_t row = 0; row < table.size(); ++row) {
    for (std::size_t c = 0; c < table.columns().size(); ++c) out += csv_field(table.text(row, c)) + ",";
    const RowPrediction* p = by_row[row];
    const bool shown = p && p->predicted > 0.0;
    out += shown ? fmt::format("{:.6g},{:.6g},{:.6g},", p->predicted, p->low, p->high) : ",,,";
    out += csv_field(p ? p->reason : "") + "\r\n";
  }
  return out;
}

}  // namespace roofplan::model
