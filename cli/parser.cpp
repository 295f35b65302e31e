#include "cli/parser.hpp"

#include "cli/verbs/all.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>

namespace roofplan::cli {
namespace {

using model::InputError;

std::string declaration(const Option& option) {
  const std::string long_name = "--" + option.name;
  return option.short_name == 0 ? long_name : std::string("-") + option.short_name + "," + long_name;
}

void declare(CLI::App& app, const Option& option, CommandLine& line) {
  if (!option.takes_value()) {
    app.add_flag_function(declaration(option), [&line, &option](std::int64_t times) {
      for (std::int64_t i = 0; i < times; ++i) line.options.emplace_back(&option, "");
    });
    return;
  }
  app.add_option_function<std::vector<std::string>>(declaration(option),
                                                    [&line, &option](const std::vector<std::string>& values) {
                                                      for (const std::string& value : values)
                                                        line.options.emplace_back(&option, value);
                                                    })
      ->allow_extra_args(false);
}

/// CLI11's message starts with the flag ("--system: 1 required TEXT missing").
[[noreturn]] void refuse(const CLI::ParseError& error) {
  const std::string what = error.what();
  const std::string flag = what.substr(0, what.find(':'));
  throw InputError(InputError::Kind::usage, flag.starts_with("-") ? flag + " needs a value" : what);
}

/// --output names a format, and the output tokens of verbs that ask for a load: a number is the latter.
void give_counts_to_output_tokens(CommandLine& line) {
  if (line.verb == nullptr) return;
  const auto tokens = std::find_if(line.verb->options.begin(), line.verb->options.end(),
                                   [](const Option& option) { return option.name == "output-tokens"; });
  if (tokens == line.verb->options.end()) return;
  for (auto& [option, value] : line.options) {
    const bool number = !value.empty() && value.find_first_not_of("0123456789,_") == std::string::npos;
    if (option->name == "output" && number) option = &*tokens;
  }
}

}  // namespace

CommandLine split_command_line(const std::vector<std::string>& words) {
  CommandLine line;
  CLI::App app;
  app.set_help_flag();
  app.allow_extras();
  app.fallthrough();
  app.require_subcommand(0, 1);
  for (const Option& option : global_options()) declare(app, option, line);
  for (const Verb& verb : all_verbs()) {
    CLI::App& sub = *app.add_subcommand(verb.name);
    for (const Option& option : verb.options) declare(sub, option, line);
    sub.add_option("arguments", line.positionals);
    sub.callback([&line, &verb] { line.verb = &verb; });
  }
  std::vector<std::string> reversed(words.rbegin(), words.rend());
  try {
    app.parse(reversed);
  } catch (const CLI::ParseError& error) {
    refuse(error);
  }
  line.strays = app.remaining(true);
  give_counts_to_output_tokens(line);
  return line;
}

}  // namespace roofplan::cli
