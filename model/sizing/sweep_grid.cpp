#include "model/sizing/sweep_grid.hpp"

#include "model/catalog/field_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

namespace roofplan::model {
namespace {

constexpr std::int64_t kMostValues = 1'000'000;
constexpr std::int64_t kMostPoints = 1'000'000'000;

[[noreturn]] void refuse(const std::string& message, const std::string& expected) {
  throw InputError(InputError::Kind::usage, message, expected);
}

std::optional<double> number_of(std::string_view text) {
  double out = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(out)) return std::nullopt;
  return out;
}

struct Range {
  double from = 0, to = 0, step = 0;
  bool times = false;
};

/// Nothing where the item is no range but a name, such as "dgx-h100".
std::optional<Range> range_of(std::string_view item) {
  const std::size_t sign = item.find_last_of("+*");
  if (sign == std::string_view::npos) return std::nullopt;
  const std::string_view ends = item.substr(0, sign);
  const std::size_t dash = ends.find('-', 1);
  if (dash == std::string_view::npos) return std::nullopt;
  const auto from = number_of(ends.substr(0, dash));
  const auto to = number_of(ends.substr(dash + 1));
  const auto step = number_of(item.substr(sign + 1));
  if (!from || !to || !step) return std::nullopt;
  return Range{*from, *to, *step, item[sign] == '*'};
}

void check(const Range& range, std::string_view item) {
  const bool steps = range.times ? range.step > 1 && range.from > 0 : range.step > 0;
  if (steps && range.to >= range.from) return;
  refuse(fmt::format("\"{}\" is an empty or endless range", item),
         "a-b+s with s > 0, or a-b*f with f > 1 and a > 0; b not below a");
}

/// Values are counted, not added up, so that rounding does not pile up; the last may miss b by a rounding.
void append_range(std::vector<std::string>& values, const Range& range, std::string_view item) {
  check(range, item);
  const double tolerance = 1e-9 * std::max(std::abs(range.from), std::abs(range.to));
  for (std::int64_t i = 0;; ++i) {
    const double n = static_cast<double>(i);
    const double value = range.times ? range.from * std::pow(range.step, n) : range.from + n * range.step;
    if (value > range.to + tolerance) return;
    if (i >= kMostValues)
      refuse(fmt::format("\"{}\" has more than {} values", item, kMostValues), "a coarser step");
    const double shown = std::round(value);
    values.push_back(std::abs(value - shown) <= tolerance ? fmt::format("{:.0f}", shown)
                                                          : fmt::format("{:.12g}", value));
  }
}

}  // namespace

SweepAxis parse_axis(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0)
    refuse(fmt::format("\"{}\" varies nothing", text), "path=values, for example load.concurrency=1-64*2");
  SweepAxis axis;
  axis.path = text.substr(0, equals);
  scenario_field(axis.path);
  std::string_view rest = text.substr(equals + 1);
  while (true) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    const std::string_view item = rest.substr(0, comma);
    if (item.empty()) refuse(fmt::format("\"{}\" has an empty value", text), "values with commas between");
    if (const auto range = range_of(item)) {
      append_range(axis.values, *range, item);
    } else {
      axis.values.emplace_back(item);
    }
    if (comma == rest.size()) break;
    rest.remove_prefix(comma + 1);
  }
  return axis;
}

SweepGrid::SweepGrid(Scenario base, std::vector<SweepAxis> axes)
    : base_(std::move(base)), axes_(std::move(axes)) {
  for (const SweepAxis& axis : axes_) {
    const auto same = [&](const SweepAxis& other) { return other.path == axis.path; };
    if (std::count_if(axes_.begin(), axes_.end(), same) > 1)
      refuse(fmt::format("{} is varied twice", axis.path), "one --vary a field");
    Scenario trial = base_;
    for (const std::string& value : axis.values) set_field(trial, axis.path, value);
    const std::int64_t values = static_cast<std::int64_t>(axis.values.size());
    if (values > kMostPoints / points_)
      refuse(fmt::format("the cross product has more than {} points", kMostPoints), "fewer values");
    points_ *= values;
  }
}

std::vector<std::string> SweepGrid::values(std::int64_t point) const {
  std::vector<std::string> out(axes_.size());
  for (std::size_t i = axes_.size(); i-- > 0;) {
    const std::int64_t size = static_cast<std::int64_t>(axes_[i].values.size());
    out[i] = axes_[i].values[static_cast<std::size_t>(point % size)];
    point /= size;
  }
  return out;
}

Scenario SweepGrid::scenario(std::int64_t point) const {
  Scenario out = base_;
  const std::vector<std::string> chosen = values(point);
  for (std::size_t i = 0; i < axes_.size(); ++i) set_field(out, axes_[i].path, chosen[i]);
  return out;
}

std::string SweepGrid::identity(std::string_view salt) const {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  const auto mix = [&hash](std::string_view text) {
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
    hash = (hash ^ 0xffU) * 0x100000001b3ULL;
  };
  mix(salt);
  mix(scenario_json(base_, true));
  for (const SweepAxis& axis : axes_) {
    mix(axis.path);
    for (const std::string& value : axis.values) mix(value);
  }
  return fmt::format("{:016x}", hash);
}

std::int64_t SweepShard::first(std::int64_t points) const {
  return points / shards * (index - 1) + std::min(index - 1, points % shards);
}

std::int64_t SweepShard::end(std::int64_t points) const {
  return index == shards ? points : SweepShard{index + 1, shards}.first(points);
}

SweepShard parse_shard(std::string_view text) {
  const std::size_t slash = text.find('/');
  SweepShard shard;
  const auto read = [](std::string_view part, std::int64_t& out) {
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), out);
    return !part.empty() && error == std::errc() && end == part.data() + part.size();
  };
  const bool good = slash != std::string_view::npos && read(text.substr(0, slash), shard.index) &&
                    read(text.substr(slash + 1), shard.shards) && shard.index >= 1 &&
                    shard.index <= shard.shards && shard.shards <= kMostPoints;
  if (!good) refuse(fmt::format("\"{}\" is no shard", text), "i/n with i from 1 to n, as 2/8");
  return shard;
}

}  // namespace roofplan::model
