#include "model/sizing/sweep_values.hpp"

#include "model/units/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

namespace roofplan::model {
namespace {

constexpr std::int64_t kMostValues = 1'000'000;

[[noreturn]] void refuse(const std::string& message, const std::string& expected) {
  throw InputError(InputError::Kind::usage, message, expected);
}

std::optional<double> number_of(std::string_view text) {
  double out = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(out)) return std::nullopt;
  return out;
}

}  // namespace

/// Values are counted, not added up, so that rounding does not pile up; the last may miss b by a rounding.
double SweepValues::Item::value(std::int64_t index) const {
  const double n = static_cast<double>(index);
  return times ? from * std::pow(step, n) : from + n * step;
}

double SweepValues::Item::tolerance() const {
  return 1e-9 * std::max(std::abs(from), std::abs(to));
}

void SweepValues::Item::count_values(std::string_view text) {
  const bool steps = times ? step > 1 && from > 0 : step > 0;
  if (!steps || to < from)
    refuse(fmt::format("\"{}\" is an empty or endless range", text),
           "a-b+s with s > 0, or a-b*f with f > 1 and a > 0; b not below a");
  const double most = to + tolerance();
  const double estimate = times ? std::log(most / from) / std::log(step) : (most - from) / step;
  count = static_cast<std::int64_t>(std::min(estimate, 2.0 * kMostValues)) + 1;
  while (count <= kMostValues && value(count) <= most) ++count;
  while (count > 1 && value(count - 1) > most) --count;
  if (count > kMostValues)
    refuse(fmt::format("\"{}\" has more than {} values", text, kMostValues), "a coarser step");
}

/// A word where the item is no range but a name, such as "dgx-h100".
SweepValues::Item SweepValues::item_of(std::string_view text) {
  Item item;
  item.word = text;
  const std::size_t sign = text.find_last_of("+*");
  if (sign == std::string_view::npos) return item;
  const std::string_view ends = text.substr(0, sign);
  const std::size_t dash = ends.find('-', 1);
  if (dash == std::string_view::npos) return item;
  const auto from = number_of(ends.substr(0, dash));
  const auto to = number_of(ends.substr(dash + 1));
  const auto step = number_of(text.substr(sign + 1));
  if (!from || !to || !step) return item;
  item = {{}, *from, *to, *step, text[sign] == '*'};
  item.count_values(text);
  return item;
}

SweepValues::SweepValues(std::string_view text) {
  std::string_view rest = text;
  while (true) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    const std::string_view item = rest.substr(0, comma);
    if (item.empty()) refuse(fmt::format("\"{}\" has an empty value", text), "values with commas between");
    items_.push_back(item_of(item));
    items_.back().first = size_;
    size_ += items_.back().count;
    if (comma == rest.size()) break;
    rest.remove_prefix(comma + 1);
  }
}

std::string SweepValues::at(std::int64_t index) const {
  const auto behind = std::upper_bound(items_.begin(), items_.end(), index,
                                       [](std::int64_t i, const Item& item) { return i < item.first; });
  const Item& item = *(behind - 1);
  if (!item.word.empty()) return item.word;
  const double value = item.value(index - item.first);
  const double whole = std::round(value);
  return std::abs(value - whole) <= item.tolerance() ? fmt::format("{:.0f}", whole)
                                                     : fmt::format("{:.12g}", value);
}

std::vector<std::int64_t> SweepValues::telling() const {
  std::vector<std::int64_t> out;
  for (const Item& item : items_) {
    const std::int64_t last = item.count - 1;
    for (std::int64_t i = 0; i <= last; i = !item.times && i == 1 && last > 1 ? last : i + 1)
      out.push_back(item.first + i);
  }
  return out;
}

}  // namespace roofplan::model
