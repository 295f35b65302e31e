#include "model/json/json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace roofplan::model {
namespace {

std::string escaped(std::string_view key) {
  std::string out;
  for (const char c : key) {
    if (c == '~') {
      out += "~0";
    } else if (c == '/') {
      out += "~1";
    } else {
      out += c;
    }
  }
  return out;
}

std::string shown(const Json& value) {
  std::string text = value.dump(-1, ' ', false, Json::error_handler_t::replace);
  return text.size() > 60 ? text.substr(0, 57) + "..." : text;
}

}  // namespace

JsonReader::JsonReader(const Json& value, std::string file, std::string pointer)
    : value_(&value), file_(std::move(file)), pointer_(std::move(pointer)) {}

void JsonReader::fail(std::string message, std::string expected, std::vector<std::string> nearest) const {
  throw InputError(InputError::Kind::content, std::move(message), std::move(expected), where(),
                   std::move(nearest));
}

std::optional<JsonReader> JsonReader::find(std::string_view key) const {
  if (!value_->is_object()) fail(fmt::format("{} is no object", shown(*value_)), "an object");
  known_.emplace(key);
  const auto it = value_->find(std::string(key));
  if (it == value_->end() || it->is_null()) return std::nullopt;
  return JsonReader(*it, file_, pointer_ + "/" + escaped(key));
}

JsonReader JsonReader::at(std::string_view key) const {
  auto found = find(key);
  if (!found) fail(fmt::format("the key \"{}\" is missing", key));
  return *found;
}

std::vector<JsonReader> JsonReader::elements() const {
  if (!value_->is_array()) fail(fmt::format("{} is no list", shown(*value_)), "a list");
  std::vector<JsonReader> out;
  out.reserve(value_->size());
  for (std::size_t i = 0; i < value_->size(); ++i)
    out.emplace_back((*value_)[i], file_, fmt::format("{}/{}", pointer_, i));
  return out;
}

std::vector<std::pair<std::string, JsonReader>> JsonReader::members() const {
  if (!value_->is_object()) fail(fmt::format("{} is no object", shown(*value_)), "an object");
  std::vector<std::pair<std::string, JsonReader>> out;
  for (const auto& [key, member] : value_->items()) {
    known_.insert(key);
    out.emplace_back(key, JsonReader(member, file_, pointer_ + "/" + escaped(key)));
  }
  return out;
}

void JsonReader::ignore(std::string_view key) const {
  known_.emplace(key);
}

void JsonReader::finish() const {
  for (const auto& [key, member] : value_->items()) {
    if (known_.contains(key)) continue;
    const std::vector<std::string> known(known_.begin(), known_.end());
    fail(fmt::format("unknown key \"{}\"", key), fmt::format("one of: {}", fmt::join(known, ", ")),
         nearest_names(key, known));
  }
}

std::string JsonReader::as_string() const {
  if (!value_->is_string()) fail(fmt::format("{} is no text", shown(*value_)), "a string");
  return value_->get<std::string>();
}

bool JsonReader::as_bool() const {
  if (!value_->is_boolean())
    fail(fmt::format("{} is neither true nor false", shown(*value_)), "true or false");
  return value_->get<bool>();
}

double JsonReader::as_number() const {
  if (!value_->is_number()) fail(fmt::format("{} is no number", shown(*value_)), "a number");
  return value_->get<double>();
}

std::int64_t JsonReader::as_integer(std::int64_t low, std::int64_t high) const {
  const bool bounded = low != INT64_MIN || high != INT64_MAX;
  const std::string expected =
      bounded ? fmt::format("a whole number from {} to {}", low, high) : "a whole number";
  if (value_->is_number_unsigned() && value_->get<std::uint64_t>() > static_cast<std::uint64_t>(INT64_MAX)) {
    fail(fmt::format("{} is out of range", shown(*value_)), expected);
  }
  std::int64_t n = 0;
  if (value_->is_number_integer()) {
    n = value_->get<std::int64_t>();
  } else {
    const double d = value_->is_number() ? value_->get<double>() : 0.5;
    if (d != std::floor(d) || std::abs(d) > 0x1p53)
      fail(fmt::format("{} is no whole number", shown(*value_)), expected);
    n = static_cast<std::int64_t>(d);
  }
  if (n < low || n > high) fail(fmt::format("{} is out of range", n), expected);
  return n;
}

std::string JsonReader::as_word(const std::vector<std::string>& choices) const {
  std::string word = as_string();
  if (std::find(choices.begin(), choices.end(), word) == choices.end()) {
    fail(fmt::format("unknown word \"{}\"", word), fmt::format("one of: {}", fmt::join(choices, ", ")),
         nearest_names(word, choices));
  }
  return word;
}

}  // namespace roofplan::model
