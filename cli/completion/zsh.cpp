#include "cli/completion/completion.hpp"
#include "cli/offers.hpp"
#include "cli/verbs/all.hpp"

#include <fmt/format.h>

namespace roofplan::cli {
namespace {

/// For a specification in single quotes, where brackets and colons have a meaning.
std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
    out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  }
  return out;
}

std::string action_for(const Option& option) {
  const std::vector<std::string> names = offered_names(option);
  if (!names.empty()) return fmt::format("({})", fmt::join(names, " "));
  if (option.offer == Option::Offer::folders) return "_files -/";
  if (option.offer == Option::Offer::files || option.offer == Option::Offer::models) return "_files";
  return " ";
}

std::string flag_specs(const std::vector<Option>& options) {
  std::string out;
  for (const Option& option : options) {
    const std::string repeat = option.repeated ? "*" : "";
    const std::string tail =
        option.takes_value() ? fmt::format(":{}:{}", escaped(option.value_name), action_for(option)) : "";
    const auto add = [&](const std::string& name) {
      out += fmt::format("      '{}{}[{}]{}' \\\n", repeat, name, escaped(option.help), tail);
    };
    add(option.shown_name());
    if (option.short_name != 0) add(fmt::format("-{}", option.short_name));
  }
  return out;
}

std::string positional_specs(const Verb& verb) {
  std::string out;
  for (const Option& option : verb.positionals) {
    const std::string place = option.repeated ? "*" : option.required ? "" : ":";
    out += fmt::format("      '{}:{}:{}' \\\n", place, escaped(option.name), action_for(option));
  }
  return out;
}

}  // namespace

std::string zsh_completion() {
  std::string verbs, cases;
  for (const Verb& verb : all_verbs()) {
    verbs += fmt::format("    '{}:{}'\n", verb.name, escaped(verb.summary));
    cases += fmt::format("    {})\n      _arguments \\\n{}{}      $globals ;;\n", verb.name,
                         flag_specs(verb.options), positional_specs(verb));
  }
  std::string script =
      "#compdef roofplan\n# zsh completion for roofplan; put on $fpath as _roofplan\n\n_roofplan() {\n";
  script += "  local curcontext=\"$curcontext\" state line\n  local -a verbs globals\n";
  script += "  verbs=(\n" + verbs + "  )\n  globals=(\n";
  std::string globals = flag_specs(global_options());
  for (std::size_t at = globals.find(" \\\n"); at != std::string::npos; at = globals.find(" \\\n")) {
    globals.erase(at, 2);
  }
  script += globals + "  )\n";
  script += "  _arguments -C $globals '1:verb:->verb' '*::argument:->argument'\n";
  script += "  case $state in\n  verb) _describe verb verbs ;;\n  argument)\n    case $words[1] in\n";
  return script + cases + "    esac ;;\n  esac\n}\n\ncompdef _roofplan roofplan 2>/dev/null || true\n";
}

}  // namespace roofplan::cli
