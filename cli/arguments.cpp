#include "cli/arguments.hpp"

#include "cli/verbs/all.hpp"
#include "model/units/unit_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>

namespace roofplan::cli {
namespace {

using model::InputError;
using Kind = InputError::Kind;

std::vector<std::string> flag_names(const Verb* verb) {
  std::vector<std::string> names;
  for (const Option& option : global_options()) names.push_back(option.shown_name());
  if (verb != nullptr) {
    for (const Option& option : verb->options) names.push_back(option.shown_name());
  }
  return names;
}

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

/// "--model X": the verb takes MODEL, but by its place.
void refuse_named_positional(const std::string& flag, const Verb& verb) {
  const std::string name = upper(flag.substr(std::min(flag.size(), flag.find_first_not_of('-'))));
  for (const Option& option : verb.positionals) {
    if (option.name != name) continue;
    const std::string example = verb.examples.empty() ? "" : ", as in: " + verb.examples.front();
    throw InputError(Kind::usage, fmt::format("{} takes {} by its place, not as {}", verb.name, name, flag),
                     fmt::format("roofplan {} {} ...{}", verb.name, name, example));
  }
}

[[noreturn]] void refuse_flag(const std::string& stray, const Verb* verb) {
  const std::string name = stray.substr(0, stray.find('='));
  const std::vector<std::string> names = flag_names(verb);
  if (std::find(names.begin(), names.end(), name) != names.end()) {
    throw InputError(Kind::usage, fmt::format("{} belongs to the verb", name),
                     fmt::format("roofplan {} ... {}", verb->name, name));
  }
  if (verb != nullptr) refuse_named_positional(name, *verb);
  const std::string message = verb == nullptr ? fmt::format("unknown flag {}", name)
                                              : fmt::format("{} has no flag {}", verb->name, name);
  throw InputError(Kind::usage, message, "", {}, model::nearest_names(name, names));
}

void refuse_strays(const CommandLine& line) {
  for (const std::string& stray : line.strays) {
    if (!stray.starts_with("-")) find_verb(stray);
    if (stray.starts_with("-") && stray != "-" && stray != "--") refuse_flag(stray, line.verb);
  }
  for (const std::string& stray : line.strays) {
    throw InputError(Kind::usage, fmt::format("unexpected argument \"{}\"", stray));
  }
}

}  // namespace

Arguments::Arguments(const CommandLine& line) : verb_(line.verb) {
  refuse_strays(line);
  if (verb_ == nullptr) throw InputError(Kind::usage, "no verb", "roofplan VERB; roofplan --help lists them");
  take_positionals(line);
  std::set<const Option*> seen;
  for (const auto& [option, value] : line.options) {
    const bool swallowed = option->takes_value() && value.starts_with("--");
    if (swallowed) throw InputError(Kind::usage, option->shown_name() + " needs a value");
    check_value(*option, value);
    if (!seen.insert(option).second && !option->repeated) {
      throw InputError(Kind::usage, option->shown_name() + " is given twice");
    }
    given_.emplace_back(option, value);
  }
  for (const Option& option : verb_->options) {
    if (option.required && !seen.contains(&option)) {
      throw InputError(Kind::usage, fmt::format("{} needs {}", verb_->name, option.shown_name()),
                       option.help);
    }
  }
}

void Arguments::take_positionals(const CommandLine& line) {
  std::size_t next = 0;
  for (const Option& option : verb_->positionals) {
    if (next >= line.positionals.size()) {
      if (!option.required) return;
      throw InputError(Kind::usage, fmt::format("{} needs {}", verb_->name, option.name), option.help);
    }
    do {
      check_value(option, line.positionals[next]);
      given_.emplace_back(&option, line.positionals[next++]);
    } while (option.repeated && next < line.positionals.size());
  }
  if (next < line.positionals.size()) {
    throw InputError(Kind::usage,
                     fmt::format("{} takes no argument \"{}\"", verb_->name, line.positionals[next]),
                     fmt::format("as roofplan help {} says", verb_->name));
  }
}

std::vector<std::string> Arguments::all(std::string_view name) const {
  std::vector<std::string> values;
  for (const auto& [option, value] : given_) {
    if (option->name == name) values.push_back(value);
  }
  return values;
}

std::optional<std::string> Arguments::get(std::string_view name) const {
  const std::vector<std::string> values = all(name);
  return values.empty() ? std::nullopt : std::optional(values.back());
}

std::string Arguments::get_or(std::string_view name, std::string_view fallback) const {
  return get(name).value_or(std::string(fallback));
}

std::optional<std::int64_t> Arguments::count(std::string_view name) const {
  const auto value = get(name);
  return value ? std::optional(model::parse_count(*value)) : std::nullopt;
}

std::optional<double> Arguments::number(std::string_view name) const {
  const auto value = get(name);
  return value ? std::optional(model::parse_number(*value)) : std::nullopt;
}

std::optional<double> Arguments::amount(std::string_view name) const {
  for (const auto& [option, value] : given_) {
    if (option->name == name) return amount_in_unit(*option, value);
  }
  return std::nullopt;
}

}  // namespace roofplan::cli
