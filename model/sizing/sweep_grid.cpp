#include "model/sizing/sweep_grid.hpp"

#include "model/catalog/field_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace roofplan::model {
namespace {

constexpr std::int64_t kMostPoints = 1'000'000'000;

[[noreturn]] void refuse(const std::string& message, const std::string& expected) {
  throw InputError(InputError::Kind::usage, message, expected);
}

}  // namespace

SweepAxis parse_axis(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0)
    refuse(fmt::format("\"{}\" varies nothing", text), "path=values, for example load.concurrency=1-64*2");
  const std::string_view path = text.substr(0, equals);
  scenario_field(path);
  return {std::string(path), SweepValues(text.substr(equals + 1))};
}

SweepGrid::SweepGrid(Scenario base, std::vector<SweepAxis> axes)
    : base_(std::move(base)), axes_(std::move(axes)) {
  for (const SweepAxis& axis : axes_) {
    const auto same = [&](const SweepAxis& other) { return other.path == axis.path; };
    if (std::count_if(axes_.begin(), axes_.end(), same) > 1)
      refuse(fmt::format("{} is varied twice", axis.path), "one --vary a field");
    Scenario trial = base_;
    for (const std::int64_t i : axis.values.telling()) set_field(trial, axis.path, axis.values.at(i));
    if (axis.values.size() > kMostPoints / points_)
      refuse(fmt::format("the cross product has more than {} points", kMostPoints), "fewer values");
    points_ *= axis.values.size();
  }
}

std::vector<std::string> SweepGrid::values(std::int64_t point) const {
  std::vector<std::string> out(axes_.size());
  for (std::size_t i = axes_.size(); i-- > 0;) {
    const SweepValues& all = axes_[i].values;
    out[i] = all.at(point % all.size());
    point /= all.size();
  }
  return out;
}

Scenario SweepGrid::scenario(const std::vector<std::string>& values) const {
  Scenario out = base_;
  for (std::size_t i = 0; i < axes_.size(); ++i) set_field(out, axes_[i].path, values[i]);
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
    for (std::int64_t i = 0; i < axis.values.size(); ++i) mix(axis.values.at(i));
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
