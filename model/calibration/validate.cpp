#include "model/calibration/validate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

namespace roofplan::model {
namespace {

/// Rows of one group while they are counted.
class Tally {
 public:
  void count(const RowPrediction& row) {
    switch (row.state) {
      case RowPrediction::State::predicted:
        ratios_.push_back(row.predicted / row.measured);
        if (row.rule.empty()) passing_.push_back(ratios_.back());
        if (row.has_range) ++ranged_;
        if (row.has_range && row.low <= row.measured && row.measured <= row.high) ++covered_;
        break;
      case RowPrediction::State::unsupported:
        ++score_.unsupported;
        break;
      case RowPrediction::State::undetermined:
        ++score_.undetermined;
        break;
      case RowPrediction::State::excluded:
        ++score_.excluded;
        break;
    }
  }

  ValidationScore score() const {
    ValidationScore out = score_;
    out.errors = error_statistics(ratios_);
    out.passing = error_statistics(passing_);
    if (ranged_ > 0) out.coverage = static_cast<double>(covered_) / static_cast<double>(ranged_);
    return out;
  }

 private:
  std::vector<double> ratios_, passing_;
  std::size_t ranged_ = 0, covered_ = 0;
  ValidationScore score_;
};

/// Tallies by key, in the order of appearance.
template <class Key>
class Tallies {
 public:
  void count(Key key, const RowPrediction& row) {
    const auto [at, fresh] = index_.emplace(std::move(key), tallies_.size());
    if (fresh) {
      keys_.push_back(at->first);
      tallies_.emplace_back();
    }
    tallies_[at->second].count(row);
  }
  const std::vector<Key>& keys() const { return keys_; }
  ValidationScore score(std::size_t i) const { return tallies_[i].score(); }

 private:
  std::map<Key, std::size_t> index_;
  std::vector<Key> keys_;
  std::vector<Tally> tallies_;
};

/// How many rows have a word, each once however many metrics it has.
class RowCounts {
 public:
  void count(const std::string& word, const RowPrediction& row) { rows_[word].emplace(row.table, row.row); }
  std::map<std::string, std::size_t> counts() const {
    std::map<std::string, std::size_t> out;
    for (const auto& [word, rows] : rows_) out[word] = rows.size();
    return out;
  }

 private:
  std::map<std::string, std::set<std::pair<std::size_t, std::size_t>>> rows_;
};

/// "predicted,low,high,", empty where there is no prediction.
std::string prediction_fields(const RowPrediction* p) {
  if (!p || p->predicted <= 0.0) return ",,,";
  return fmt::format("{:.6g},{:.6g},{:.6g},", p->predicted, p->low, p->high);
}

}  // namespace

Validation validate(std::span<const RowPrediction> rows) {
  Validation out;
  Tallies<std::string> metrics;
  Tallies<std::pair<std::string, std::string>> operations;
  Tallies<std::tuple<std::string, std::string, std::string, std::string, std::string>> groups;
  RowCounts reasons, rules;
  for (const RowPrediction& row : rows) {
    metrics.count(row.metric, row);
    if (!row.operation.empty()) operations.count({row.metric, row.operation}, row);
    groups.count({row.system, row.model, row.engine, row.operation, row.metric}, row);
    if (row.state != RowPrediction::State::predicted) {
      reasons.count(row.reason, row);
    } else if (!row.rule.empty()) {
      rules.count(row.rule, row);
    }
  }
  out.reasons = reasons.counts();
  out.rules = rules.counts();
  for (std::size_t i = 0; i < metrics.keys().size(); ++i)
    out.overall.emplace_back(metrics.keys()[i], metrics.score(i));
  for (std::size_t i = 0; i < operations.keys().size(); ++i)
    out.operations.push_back({operations.keys()[i].first, operations.keys()[i].second, operations.score(i)});
  for (std::size_t i = 0; i < groups.keys().size(); ++i) {
    const auto& [system, model, engine, operation, metric] = groups.keys()[i];
    out.groups.push_back({system, model, engine, operation, metric, groups.score(i)});
  }
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
    if (replay.devices > 1) row.operation = fmt::format("TP {}", replay.devices);
    row.measured = replay.measured_s;
    row.predicted = replay.predicted_s;
    row.has_range = false;
    rows.push_back(std::move(row));
  }
  return rows;
}

std::string predictions_csv(const CsvTable& table, std::span<const RowPrediction> rows) {
  std::vector<std::string> metrics;
  std::vector<std::map<std::string, const RowPrediction*>> by_row(table.size());
  std::vector<const RowPrediction*> last(table.size(), nullptr);
  for (const RowPrediction& row : rows) {
    if (table.has(row.metric) && std::find(metrics.begin(), metrics.end(), row.metric) == metrics.end())
      metrics.push_back(row.metric);
    by_row[row.row][row.metric] = last[row.row] = &row;
  }
  if (metrics.size() < 2) metrics.clear();
  std::string out;
  for (const std::string& column : table.columns()) out += csv_field(column) + ",";
  for (const std::string& metric : metrics) out += fmt::format("{0}_predicted,{0}_low,{0}_high,", metric);
  out += "predicted,low,high,reason,rule\r\n";
  for (std::size_t row = 0; row < table.size(); ++row) {
    for (std::size_t c = 0; c < table.columns().size(); ++c) out += csv_field(table.text(row, c)) + ",";
    for (const std::string& metric : metrics) {
      const auto at = by_row[row].find(metric);
      out += prediction_fields(at == by_row[row].end() ? nullptr : at->second);
    }
    out += prediction_fields(last[row]);
    out += csv_field(last[row] ? last[row]->reason : "") + "," + csv_field(last[row] ? last[row]->rule : "");
    out += "\r\n";
  }
  return out;
}

}  // namespace roofplan::model
