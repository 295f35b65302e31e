#include "cli/completion/completion.hpp"

#include "cli/session.hpp"
#include "cli/verbs/verbs.hpp"

namespace roofplan::cli {
namespace {

Outcome run_completion(Session& session) {
  const std::string shell = session.arguments().get_or("SHELL", "");
  if (shell == "bash") return verbatim(session, bash_completion());
  if (shell == "zsh") return verbatim(session, zsh_completion());
  if (shell == "fish") return verbatim(session, fish_completion());
  return verbatim(session, manual_page());
}

}  // namespace

Verb completion_verb() {
  Verb verb;
  verb.name = "completion";
  verb.summary = "shell completion for bash, zsh and fish, or the manual page";
  verb.examples = {"roofplan completion bash", "roofplan completion man"};
  Option shell = word("SHELL", "which shell, or man for a page of man(1)", {"bash", "zsh", "fish", "man"});
  verb.positionals = {shell.needed()};
  verb.run = run_completion;
  return verb;
}

}  // namespace roofplan::cli
