#include "cli/completion/completion.hpp"
#include "cli/offers.hpp"
#include "cli/verbs/all.hpp"

#include <fmt/format.h>

namespace roofplan::cli {
namespace {

std::string quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  return out + "'";
}

std::string flag_line(const std::string& condition, const Option& option) {
  std::string out = "complete -c roofplan" + condition + " -l " + option.name;
  if (option.short_name != 0) out += fmt::format(" -s {}", option.short_name);
  if (option.takes_value()) {
    const bool files = option.offer == Option::Offer::files || option.offer == Option::Offer::folders ||
                       option.offer == Option::Offer::models;
    const std::vector<std::string> names = offered_names(option);
    out += files ? " -r -F" : " -x";
    if (!names.empty()) out += " -a " + quoted(fmt::format("{}", fmt::join(names, " ")));
  }
  return out + " -d " + quoted(option.help) + "\n";
}

}  // namespace

std::string fish_completion() {
  std::string script =
      "# fish completion for roofplan; load with: roofplan completion fish | source\n"
      "complete -c roofplan -e\n";
  for (const Option& option : global_options()) script += flag_line("", option);
  for (const Verb& verb : all_verbs()) {
    script += fmt::format("complete -c roofplan -n __fish_use_subcommand -f -a {} -d {}\n", verb.name,
                          quoted(verb.summary));
    const std::string condition = fmt::format(" -n '__fish_seen_subcommand_from {}'", verb.name);
    for (const Option& option : verb.positionals) {
      const std::vector<std::string> names = offered_names(option);
      if (names.empty()) continue;
      script += fmt::format("complete -c roofplan{} -a {} -d {}\n", condition,
                            quoted(fmt::format("{}", fmt::join(names, " "))), quoted(option.help));
    }
    for (const Option& option : verb.options) script += flag_line(condition, option);
  }
  return script;
}

}  // namespace roofplan::cli
