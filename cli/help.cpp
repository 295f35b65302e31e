#include "cli/help.hpp"

#include "cli/help_topics.hpp"
#include "cli/verbs/all.hpp"
#include "model/report/utf8.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace roofplan::cli {
namespace {

constexpr int kWidth = 100;

std::string range_of(const Option& option) {
  const bool low = option.low > -1e300, high = option.high < 1e15;
  const std::string unit = option.unit.empty() ? "" : " " + option.unit;
  if (low && high) return fmt::format("{} to {}{}", option.low, option.high, unit);
  if (low && option.low > 0) return fmt::format("at least {}{}", option.low, unit);
  return "";
}

/// Lines of "  left    right", the right part wrapped.
std::string two_columns(const std::vector<std::pair<std::string, std::string>>& rows) {
  constexpr std::size_t kWidestLeft = 28;
  std::size_t left = 0;
  for (const auto& row : rows) {
    if (row.first.size() <= kWidestLeft) left = std::max(left, row.first.size());
  }
  std::string out;
  for (const auto& [name, help] : rows) {
    std::string line = fmt::format("  {:<{}}", name, left);
    if (name.size() > left) {
      out += line + "\n";
      line = std::string(left + 2, ' ');
    }
    for (const std::string& part : model::report::wrapped(help, kWidth - static_cast<int>(left) - 4)) {
      out += line + "  " + part + "\n";
      line = std::string(left + 2, ' ');
    }
  }
  return out;
}

std::string option_rows(const std::vector<Option>& options) {
  std::vector<std::pair<std::string, std::string>> rows;
  for (const Option& option : options) rows.emplace_back(usage_of(option), description_of(option));
  return two_columns(rows);
}

std::string example_lines(const std::vector<std::string>& examples) {
  std::string out = "Examples\n";
  for (const std::string& example : examples) out += "  " + example + "\n";
  return out + "\n";
}

}  // namespace

std::string usage_of(const Option& option) {
  std::string out = option.shown_name();
  if (out.starts_with("--") && option.short_name != 0) out = fmt::format("-{}, {}", option.short_name, out);
  if (out.starts_with("-") && option.takes_value()) out += " " + option.value_name;
  return out;
}

std::string description_of(const Option& option) {
  std::string out = option.help;
  if (!option.words.empty()) out += fmt::format(" ({})", fmt::join(option.words, ", "));
  const std::string range = option.takes_value() ? range_of(option) : "";
  if (!range.empty()) out += fmt::format("; {}", range);
  if (!option.default_text.empty() && option.words.empty()) {
    out += fmt::format(" (default {})", option.default_text);
  }
  if (option.repeated) out += "; may repeat";
  return out;
}

std::string synopsis(const Verb& verb) {
  std::string out = "roofplan " + verb.name;
  for (const Option& option : verb.positionals) {
    const std::string name = option.repeated ? option.name + "..." : option.name;
    out += option.required ? " " + name : fmt::format(" [{}]", name);
  }
  for (const Option& option : verb.options) {
    if (option.required) out += " " + usage_of(option);
  }
  const bool optional = std::any_of(verb.options.begin(), verb.options.end(),
                                    [](const Option& option) { return !option.required; });
  return optional ? out + " [flags]" : out;
}

std::string overview_help() {
  std::string out =
      "Roofplan answers before money is spent: which AI systems, how many, does the model fit,\n"
      "how fast, at what power and cost.\n\n";
  out += example_lines({"roofplan fit gpt-oss-120b --system gb10", "roofplan models show llama-3.1-70b",
                        "roofplan systems show dgx-b300", "roofplan scenario --sample lab > lab.json",
                        "roofplan plan lab.json -o html > lab.html"});
  out += "Usage\n  roofplan [global flags] VERB [arguments]\n\nVerbs\n";
  std::vector<std::pair<std::string, std::string>> rows;
  for (const Verb& verb : all_verbs()) rows.emplace_back(verb.name, verb.summary);
  out += two_columns(rows) + "\nGlobal flags, before or after the verb\n" + option_rows(global_options());
  out += fmt::format("\nMore: roofplan help VERB, roofplan help {{{}}}\n", fmt::join(help_topics(), ","));
  return out;
}

std::string verb_help(const Verb& verb) {
  std::string out = fmt::format("roofplan {}: {}\n\n", verb.name, verb.summary);
  if (!verb.examples.empty()) out += example_lines(verb.examples);
  out += "Usage\n  " + synopsis(verb) + "\n";
  if (!verb.positionals.empty()) out += "\nArguments\n" + option_rows(verb.positionals);
  if (!verb.options.empty()) out += "\nFlags\n" + option_rows(verb.options);
  out +=
      "\nGlobal flags (-o FORMAT, --out FILE, --scenario FILE, --set PATH=VALUE, --explain, ...): "
      "roofplan --help\n";
  return out;
}

std::string help_page(std::string_view topic) {
  if (topic.empty()) return overview_help();
  for (const HelpTopic& page : topic_pages()) {
    if (page.name == topic) return page.text();
  }
  std::vector<std::string> names = help_topics();
  for (const Verb& verb : all_verbs()) {
    if (verb.name == topic) return verb_help(verb);
    names.push_back(verb.name);
  }
  throw model::InputError(model::InputError::Kind::usage, fmt::format("no help on \"{}\"", topic),
                          "a verb or topic that roofplan --help lists", {},
                          model::nearest_names(topic, names));
}

std::vector<std::string> help_topics() {
  std::vector<std::string> names;
  for (const HelpTopic& page : topic_pages()) names.push_back(page.name);
  return names;
}

}  // namespace roofplan::cli
