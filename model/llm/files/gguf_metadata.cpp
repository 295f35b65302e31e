#include "model/llm/files/gguf.hpp"
#include "model/units/error.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace roofplan::model {

bool GgufMetadata::insert(std::string key, Value value) {
  return values_.emplace(std::move(key), std::move(value)).second;
}

void GgufMetadata::fail(std::string_view key, std::string message, std::string expected) const {
  throw InputError(InputError::Kind::content, std::move(message), std::move(expected),
                   {file_, std::string(key), 0});
}

const GgufMetadata::Value* GgufMetadata::find(std::string_view key) const {
  const auto it = values_.find(key);
  return it == values_.end() ? nullptr : &it->second;
}

std::optional<std::int64_t> GgufMetadata::integer(std::string_view key) const {
  const Value* value = find(key);
  if (value == nullptr) return std::nullopt;
  const auto* number = std::get_if<std::int64_t>(value);
  if (number == nullptr) fail(key, "this is no whole number", "a whole number below 2^63");
  return *number;
}

std::optional<bool> GgufMetadata::flag(std::string_view key) const {
  const Value* value = find(key);
  if (value == nullptr) return std::nullopt;
  const auto* flag = std::get_if<bool>(value);
  if (flag == nullptr) fail(key, "this is neither true nor false", "true or false");
  return *flag;
}

std::optional<std::string> GgufMetadata::text(std::string_view key) const {
  const Value* value = find(key);
  if (value == nullptr) return std::nullopt;
  const auto* text = std::get_if<std::string>(value);
  if (text == nullptr) fail(key, "this is no short text", "a text");
  return *text;
}

std::optional<std::uint64_t> GgufMetadata::array_length(std::string_view key) const {
  const Value* value = find(key);
  if (value == nullptr) return std::nullopt;
  const auto* array = std::get_if<GgufArray>(value);
  if (array == nullptr) fail(key, "this is no array", "an array");
  return array->length;
}

bool GgufMetadata::is_list(std::string_view key) const {
  const Value* value = find(key);
  const auto* array = value == nullptr ? nullptr : std::get_if<GgufArray>(value);
  return array != nullptr && array->is_integers;
}

std::optional<std::vector<std::int64_t>> GgufMetadata::per_layer(std::string_view key, std::int64_t layers,
                                                                 std::int64_t drafts) const {
  const Value* value = find(key);
  if (value == nullptr) return std::nullopt;
  const auto count = static_cast<std::size_t>(std::max<std::int64_t>(layers, 0));
  if (const auto* number = std::get_if<std::int64_t>(value)) return std::vector<std::int64_t>(count, *number);
  if (const auto* flag = std::get_if<bool>(value)) return std::vector<std::int64_t>(count, *flag ? 1 : 0);
  const auto* array = std::get_if<GgufArray>(value);
  if (array == nullptr || !array->is_integers)
    fail(key, "this is no whole number and no list of such", "one or a list");
  const auto entries = static_cast<std::int64_t>(array->integers.size());
  if (entries != layers && entries != layers + drafts) {
    fail(key, fmt::format("the list has {} entries", entries),
         fmt::format("one for each of {} layers", layers));
  }
  std::vector<std::int64_t> out = array->integers;
  out.resize(count);
  return out;
}

}  // namespace roofplan::model
