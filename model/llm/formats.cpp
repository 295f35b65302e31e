#include "model/llm/formats.hpp"

#include "model/hardware/system.hpp"
#include "model/units/error.hpp"

#include <fmt/format.h>

#include <numeric>

namespace roofplan::model {
namespace {

std::int64_t patches(const ScaleRule& rule, std::int64_t rows, std::int64_t cols) {
  if (rule.flattened) return ceil_div(checked_mul(rows, cols), rule.cols);
  const std::int64_t down = rule.rows == 0 ? 1 : ceil_div(rows, rule.rows);
  const std::int64_t across = rule.cols == 0 ? 1 : ceil_div(cols, rule.cols);
  return checked_mul(down, across);
}

[[noreturn]] void throw_unknown(std::string_view id, const std::vector<std::string>& known) {
  throw InputError(InputError::Kind::usage, "unknown number format '" + std::string(id) + "'",
                   fmt::format("one of: {}", fmt::join(known, ", ")), {}, nearest_names(id, known));
}

}  // namespace

ByteCount matrix_bytes(const NumberFormat& format, std::int64_t rows, std::int64_t cols) {
  if (format.block_elements > 0)
    return ByteCount(format.block_bytes) * checked_mul(rows, ceil_div(cols, format.block_elements));
  std::int64_t scale_bits = 0;
  for (const ScaleRule& rule : format.scales)
    scale_bits = checked_add(scale_bits, checked_mul(patches(rule, rows, cols), rule.bits));
  const std::int64_t element_bits = checked_mul(checked_mul(rows, cols), format.element_bits);
  return ByteCount(ceil_div(checked_add(element_bits, scale_bits), 8));
}

ElementSize cache_element(const NumberFormat& format, std::int64_t head_dim) {
  if (format.block_elements > 0) return {format.block_bytes * 8, format.block_elements};
  std::int64_t bits = checked_mul(head_dim, format.element_bits);
  for (const ScaleRule& rule : format.scales)
    if (rule.rows != 0) bits = checked_add(bits, checked_mul(patches(rule, 1, head_dim), rule.bits));
  const std::int64_t common = std::gcd(bits, head_dim);
  return {bits / common, head_dim / common};
}

std::string compute_rate(const NumberFormat& format, const Chip& chip) {
  const auto has = [&chip](const std::string& rate) {
    const auto it = chip.dense_rate.find(rate);
    return it != chip.dense_rate.end() && it->second.known();
  };
  for (const ComputeRule& rule : format.compute)
    if (has(rule.rate) && (rule.needs.empty() || has(rule.needs))) return rule.rate;
  return {};
}

FormatTable::FormatTable(std::vector<NumberFormat> formats, std::vector<FormatMix> mixes)
    : formats_(std::move(formats)), mixes_(std::move(mixes)) {
  for (std::size_t i = 0; i < formats_.size(); ++i) format_index_.emplace(formats_[i].id, i);
  for (std::size_t i = 0; i < mixes_.size(); ++i) mix_index_.emplace(mixes_[i].id, i);
}

const NumberFormat* FormatTable::format_if(std::string_view id) const {
  const auto it = format_index_.find(id);
  return it == format_index_.end() ? nullptr : &formats_[it->second];
}

const FormatMix* FormatTable::mix_if(std::string_view id) const {
  const auto it = mix_index_.find(id);
  return it == mix_index_.end() ? nullptr : &mixes_[it->second];
}

const NumberFormat& FormatTable::format(std::string_view id) const {
  if (const NumberFormat* found = format_if(id)) return *found;
  throw_unknown(id, weight_ids());
}

const NumberFormat& FormatTable::cache_format(std::string_view id) const {
  const NumberFormat* found = format_if(id);
  if (found == nullptr || !found->for_cache) throw_unknown(id, cache_ids());
  return *found;
}

std::vector<std::string> FormatTable::weight_ids() const {
  std::vector<std::string> ids = {"native"};
  for (const NumberFormat& f : formats_) ids.push_back(f.id);
  for (const FormatMix& m : mixes_)
    if (!format_index_.contains(m.id)) ids.push_back(m.id);
  return ids;
}

std::vector<std::string> FormatTable::cache_ids() const {
  std::vector<std::string> ids;
  for (const NumberFormat& f : formats_)
    if (f.for_cache) ids.push_back(f.id);
  return ids;
}

}  // namespace roofplan::model
