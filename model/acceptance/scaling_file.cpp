#include "model/acceptance/scaling_file.hpp"

#include "model/acceptance/outlier_test.hpp"
#include "model/units/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <map>

namespace roofplan::model {
namespace {

std::optional<std::size_t> first_of(const CsvTable& table, std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names) {
    if (const auto at = table.find(name)) return at;
  }
  return std::nullopt;
}

struct Row {
  std::vector<double> measured, expected, low;
};

std::optional<double> median_of(const std::vector<double>& values) {
  if (values.empty()) return std::nullopt;
  return robust_spread(values).median;
}

}  // namespace

ScalingTable read_scaling(const CsvTable& table, double tolerance) {
  const std::size_t nodes = table.column("nodes");
  const auto measured = first_of(
      table, {"measured", "tok_s", "tokens_s", "samples_s", "throughput", "busbw_gb_s", "busbw", "value"});
  if (!measured) {
    throw InputError(InputError::Kind::content, "no column of measurements",
                     "measured, tok_s, tokens_s, samples_s, throughput, busbw_gb_s or value",
                     {table.file(), {}, 1});
  }
  auto expected = first_of(table, {"expected", "predicted"});
  auto low = first_of(table, {"expected_low"});
  if (!expected && table.columns()[*measured] == "measured") {
    expected = table.find("tok_s");
    low = table.find("tok_s_low");
  }
  ScalingTable out;
  out.quantity = table.columns()[*measured];
  out.is_bus_bandwidth = out.quantity.starts_with("busbw");
  if (out.is_bus_bandwidth) out.unit = "GB/s";
  std::map<std::int64_t, Row> rows;
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (table.blank(i, *measured)) continue;
    Row& row = rows[table.whole(i, nodes, 1)];
    row.measured.push_back(table.positive(i, *measured));
    if (expected && !table.blank(i, *expected)) row.expected.push_back(table.positive(i, *expected));
    if (low && !table.blank(i, *low)) row.low.push_back(table.positive(i, *low));
  }
  if (rows.empty())
    throw InputError(InputError::Kind::content, "no measurement in the table", {}, {table.file(), {}, 0});
  for (const auto& [count, row] : rows) {
    ScalingMeasurement m{count, *median_of(row.measured), median_of(row.expected), tolerance};
    if (const auto least = median_of(row.low); least && m.expected && *least < *m.expected)
      m.tolerance = 1 - *least / *m.expected;
    out.rows.push_back(m);
  }
  return out;
}

double expected_bus_bandwidth(const Promise& promise, std::int64_t nodes) {
  const Message message{Collective::all_reduce, 8 * unit::GiB,
                        static_cast<int>(nodes * promise.system->accelerators), 4};
  if (message.ranks < 2) return 0;
  return bus_bandwidth(message, fabric_time(promise.path, message)) / unit::GB_s;
}

}  // namespace roofplan::model
