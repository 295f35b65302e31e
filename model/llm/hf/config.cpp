#include "model/llm/hf/config.hpp"

#include "model/json/json.hpp"

#include <fmt/format.h>

namespace roofplan::model::hf {
namespace {

std::optional<JsonReader> descend(const JsonReader& from, std::string_view path) {
  const auto dot = path.find('.');
  auto here = from.find(path.substr(0, dot));
  if (!here || dot == std::string_view::npos) return here;
  return descend(*here, path.substr(dot + 1));
}

}  // namespace

std::optional<JsonReader> Config::find(std::string_view path) const {
  return descend(*text_, path);
}

std::optional<JsonReader> Config::find_anywhere(std::string_view path) const {
  auto found = find(path);
  return found ? found : descend(*root_, path);
}

bool Config::has(std::string_view path) const {
  return find(path).has_value();
}

std::optional<std::int64_t> Config::count(Names names, std::int64_t most) const {
  for (const auto name : names)
    if (const auto value = find(name)) return value->as_integer(0, most);
  return std::nullopt;
}

std::int64_t Config::required(Names names, std::int64_t most) const {
  for (const auto name : names)
    if (const auto value = find(name)) return value->as_integer(1, most);
  text_->fail(fmt::format("the key \"{}\" is missing", *names.begin()),
              names.size() > 1 ? fmt::format("one of: {}", fmt::join(names, ", ")) : std::string{});
}

std::int64_t Config::count_or(Names names, std::int64_t otherwise, std::int64_t most) const {
  return count(names, most).value_or(otherwise);
}

std::optional<bool> Config::flag(Names names) const {
  for (const auto name : names)
    if (const auto value = find(name)) return value->as_bool();
  return std::nullopt;
}

std::optional<std::string> Config::word(Names names) const {
  for (const auto name : names)
    if (const auto value = find(name)) return value->as_string();
  return std::nullopt;
}

std::vector<std::int64_t> Config::counts(std::string_view path, std::int64_t most) const {
  std::vector<std::int64_t> out;
  if (const auto list = find(path))
    for (const JsonReader& e : list->elements()) out.push_back(e.as_integer(0, most));
  return out;
}

std::vector<std::string> Config::words(std::string_view path) const {
  std::vector<std::string> out;
  if (const auto list = find(path))
    for (const JsonReader& e : list->elements()) out.push_back(e.as_string());
  return out;
}

void Config::fail(std::string_view path, std::string message, std::string expected) const {
  if (const auto at = find(path)) at->fail(std::move(message), std::move(expected));
  text_->fail(std::move(message), std::move(expected));
}

JsonReader text_part(const JsonReader& root) {
  JsonReader here = root;
  for (int depth = 0; depth < 4; ++depth) {
    std::optional<JsonReader> inner;
    for (const auto key : {"text_config", "thinker_config", "llm_config", "language_config"}) {
      inner = here.find(key);
      if (inner) break;
    }
    if (!inner) break;
    if (!inner->is_object()) inner->fail("the text model's part is no object", "an object");
    here = *inner;
  }
  return here;
}

std::optional<std::string> class_name(const JsonReader& config) {
  const auto list = config.find("architectures");
  if (!list) return std::nullopt;
  const auto names = list->elements();
  if (names.empty()) return std::nullopt;
  return names.front().as_string();
}

}  // namespace roofplan::model::hf
