#include "cli/completion/completion.hpp"
#include "cli/offers.hpp"
#include "cli/verbs/all.hpp"

#include <fmt/format.h>

namespace roofplan::cli {
namespace {

std::string flags_of(const std::vector<Option>& options) {
  std::string out;
  for (const Option& option : options) {
    if (!out.empty()) out += ' ';
    out += option.shown_name();
    if (option.short_name != 0) out += fmt::format(" -{}", option.short_name);
  }
  return out;
}

std::string pattern_of(const std::string& verb, const Option& option) {
  std::string out = fmt::format("{}:{}", verb, option.shown_name());
  if (option.short_name != 0) out += fmt::format("|{}:-{}", verb, option.short_name);
  return out;
}

/// What to offer for the value of an option, as the body of a case.
std::string reply_for(const Option& option) {
  const std::vector<std::string> names = offered_names(option);
  if (!names.empty()) {
    return fmt::format("COMPREPLY=($(compgen -W '{}' -- \"$cur\"))", fmt::join(names, " "));
  }
  if (option.offer == Option::Offer::files) return "COMPREPLY=($(compgen -f -- \"$cur\"))";
  if (option.offer == Option::Offer::folders) return "COMPREPLY=($(compgen -d -- \"$cur\"))";
  return "COMPREPLY=()";
}

std::string value_cases(const std::string& verb, const std::vector<Option>& options) {
  std::string out;
  for (const Option& option : options) {
    if (option.takes_value()) {
      out += fmt::format("    {}) {}; return ;;\n", pattern_of(verb, option), reply_for(option));
    }
  }
  return out;
}

std::string positional_words(const Verb& verb) {
  std::string out;
  for (const Option& option : verb.positionals) {
    for (const std::string& name : offered_names(option)) out += " " + name;
  }
  return out.empty() ? out : out.substr(1);
}

}  // namespace

std::string bash_completion() {
  std::string verbs, verb_flags, values, arguments;
  for (const Verb& verb : all_verbs()) {
    verbs += (verbs.empty() ? "" : "|") + verb.name;
    verb_flags += fmt::format("      {}) flags='{}' ;;\n", verb.name, flags_of(verb.options));
    values += value_cases(verb.name, verb.options);
    arguments += fmt::format("      {}) names='{}' ;;\n", verb.name, positional_words(verb));
  }
  std::string names = verbs;
  for (char& c : names) c = c == '|' ? ' ' : c;
  const std::string globals = flags_of(global_options());
  std::string script =
      "# bash completion for roofplan; load with: source <(roofplan completion bash)\n_roofplan() {\n";
  script +=
      "  local cur=\"${COMP_WORDS[COMP_CWORD]}\" prev=\"${COMP_WORDS[COMP_CWORD-1]}\" verb='' flags='' "
      "names='' i\n"
      "  for ((i = 1; i < COMP_CWORD; i++)); do\n    case \"${COMP_WORDS[i]}\" in\n";
  script += fmt::format("      {}) verb=\"${{COMP_WORDS[i]}}\"; break ;;\n    esac\n  done\n", verbs);
  script += "  case \"$verb:$prev\" in\n" + values + "  esac\n";
  script += "  case \":$prev\" in\n" + value_cases("", global_options()) + "  esac\n";
  script += "  if [[ \"$cur\" == -* ]]; then\n    case \"$verb\" in\n" + verb_flags + "    esac\n";
  script +=
      fmt::format("    COMPREPLY=($(compgen -W \"$flags {}\" -- \"$cur\"))\n    return\n  fi\n", globals);
  script +=
      fmt::format("  if [[ -z \"$verb\" ]]; then\n    names='{}'\n  else\n    case \"$verb\" in\n", names);
  script += arguments + "    esac\n  fi\n";
  script += "  COMPREPLY=($(compgen -W \"$names\" -- \"$cur\"))\n";
  script += "  if [[ -n \"$verb\" ]]; then COMPREPLY+=($(compgen -f -- \"$cur\")); fi\n}\n";
  return script + "complete -o filenames -F _roofplan roofplan\n";
}

}  // namespace roofplan::cli
