#include "cli/option.hpp"

#include "model/catalog/field_table.hpp"
#include "model/units/unit_text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace roofplan::cli {
namespace {

using model::InputError;
using Kind = Option::Kind;

Kind kind_of(const model::FieldInfo& info) {
  using Type = model::FieldInfo::Type;
  switch (info.type) {
    case Type::text:
      return Kind::text;
    case Type::boolean:
      return Kind::onoff;
    case Type::integer:
      return Kind::count;
    case Type::number:
      return Kind::number;
    case Type::quantity:
      return Kind::quantity;
    case Type::word:
      return Kind::word;
    case Type::list:
      return Kind::list;
    case Type::degree:
      return Kind::degree;
  }
  return Kind::text;
}

std::string value_name_of(Kind kind, const std::string& unit) {
  switch (kind) {
    case Kind::flag:
      return "";
    case Kind::count:
    case Kind::degree:
    case Kind::number:
      return "N";
    case Kind::quantity:
      return unit.empty() ? "AMOUNT" : unit;
    case Kind::word:
      return "WORD";
    case Kind::onoff:
      return "{on,off}";
    case Kind::list:
      return "A,B";
    case Kind::path:
      return "FILE";
    case Kind::text:
      return "TEXT";
  }
  return "";
}

Option make(std::string name, Kind kind, std::string help) {
  Option option;
  option.name = std::move(name);
  option.kind = kind;
  option.help = std::move(help);
  option.value_name = value_name_of(kind, "");
  return option;
}

[[noreturn]] void refuse(const Option& option, std::string message, std::string expected,
                         std::vector<std::string> nearest = {}) {
  throw InputError(InputError::Kind::usage, std::move(message), std::move(expected),
                   {option.shown_name(), {}, 0}, std::move(nearest));
}

void check_word(const Option& option, const std::string& value, const std::vector<std::string>& words) {
  if (std::find(words.begin(), words.end(), value) != words.end()) return;
  refuse(option, fmt::format("\"{}\" is not a choice", value),
         fmt::format("one of: {}", fmt::join(words, ", ")), model::nearest_names(value, words));
}

void check_range(const Option& option, const std::string& value, double number) {
  if (number >= option.low && number <= option.high) return;
  const std::string unit = option.unit.empty() ? "" : " " + option.unit;
  const bool open = option.high >= 1e15 && number < option.low;
  refuse(option, fmt::format("{} is out of range", value),
         open ? fmt::format("at least {}{}", option.low, unit)
              : fmt::format("{} to {}{}", option.low, option.high, unit));
}

}  // namespace

std::string Option::shown_name() const {
  const bool positional = !name.empty() && name[0] >= 'A' && name[0] <= 'Z';
  return positional ? name : "--" + name;
}

Option field(std::string name, std::string_view path) {
  const model::FieldInfo& info = model::scenario_field(path);
  Option option = make(std::move(name), kind_of(info), std::string(info.spec.help));
  option.path = info.path;
  option.default_text = info.default_text;
  option.unit = info.spec.unit;
  option.value_name = value_name_of(option.kind, option.unit);
  option.low = info.spec.low;
  option.high = info.spec.high;
  option.words = info.spec.words;
  return option;
}

Option flag(std::string name, std::string help) {
  return make(std::move(name), Kind::flag, std::move(help));
}

Option count(std::string name, std::string help, double low, double high) {
  Option option = make(std::move(name), Kind::count, std::move(help));
  option.low = low;
  option.high = high;
  return option;
}

Option number(std::string name, std::string help, double low, double high) {
  Option option = count(std::move(name), std::move(help), low, high);
  option.kind = Kind::number;
  return option;
}

Option quantity(std::string name, std::string help, std::string unit, double low, double high) {
  Option option = number(std::move(name), std::move(help), low, high);
  option.kind = Kind::quantity;
  option.value_name = unit;
  option.unit = std::move(unit);
  return option;
}

Option word(std::string name, std::string help, std::vector<std::string> words) {
  Option option = make(std::move(name), Kind::word, std::move(help));
  option.words = std::move(words);
  return option;
}

Option list(std::string name, std::string help) {
  return make(std::move(name), Kind::list, std::move(help));
}

Option path(std::string name, std::string help) {
  return make(std::move(name), Kind::path, std::move(help)).offers(Option::Offer::files);
}

Option text(std::string name, std::string help) {
  return make(std::move(name), Kind::text, std::move(help));
}

void check_value(const Option& option, const std::string& value) {
  try {
    switch (option.kind) {
      case Kind::flag:
        return;
      case Kind::degree:
        if (value == "auto") return;
        [[fallthrough]];
      case Kind::count:
        return check_range(option, value, static_cast<double>(model::parse_count(value)));
      case Kind::number:
        return check_range(option, value, model::parse_number(value));
      case Kind::quantity:
        return check_range(option, value, amount_in_unit(option, value));
      case Kind::word:
        return check_word(option, value, option.words);
      case Kind::onoff:
        return check_word(option, value, {"on", "off"});
      case Kind::list:
        for (const std::string& part : split_list(value)) {
          if (!option.words.empty()) check_word(option, part, option.words);
        }
        return;
      case Kind::path:
      case Kind::text:
        if (value.empty()) refuse(option, "an empty value", "");
        return;
    }
  } catch (const InputError& e) {
    throw e.as(InputError::Kind::usage).at({option.shown_name(), {}, 0});
  }
}

double amount_in_unit(const Option& option, const std::string& value) {
  const bool bare = value.find_first_not_of("+-.0123456789eE") == std::string::npos;
  if (bare && !option.unit.empty()) return model::parse_number(value);
  const model::AnyQuantity quantity = model::parse_any_quantity(value);
  if (option.unit.empty()) return quantity.base;
  const model::AnyQuantity unit = model::parse_unit(option.unit);
  if (quantity.dimension != unit.dimension) {
    model::detail::throw_dimension_mismatch(value, unit.dimension);
  }
  return quantity.base / unit.base;
}

std::string field_value(const Option& option, const std::string& value) {
  switch (option.kind) {
    case Kind::degree:
      if (value == "auto") return value;
      [[fallthrough]];
    case Kind::count:
      return fmt::format("{}", model::parse_count(value));
    case Kind::onoff:
      return value == "on" ? "true" : "false";
    case Kind::flag:
      return "true";
    case Kind::list:
      return fmt::format("[\"{}\"]", fmt::join(split_list(value), "\",\""));
    default:
      return value;
  }
}

std::vector<std::string> split_list(std::string_view text) {
  std::vector<std::string> parts;
  while (true) {
    const std::size_t comma = text.find(',');
    const std::string_view part = text.substr(0, comma);
    if (part.empty() || part.find('"') != std::string_view::npos) {
      throw InputError(InputError::Kind::usage, "a list with an empty or quoted part",
                       "words with commas between, no spaces");
    }
    parts.emplace_back(part);
    if (comma == std::string_view::npos) return parts;
    text.remove_prefix(comma + 1);
  }
}

}  // namespace roofplan::cli
