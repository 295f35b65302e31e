#include "cli/help.hpp"

#include "cli/session.hpp"
#include "cli/verbs/verbs.hpp"

namespace roofplan::cli {
namespace {

Outcome run_help(Session& session) {
  return verbatim(session, help_page(session.arguments().get_or("TOPIC", "")));
}

}  // namespace

Verb help_verb() {
  Verb verb;
  verb.name = "help";
  verb.summary = "help on a verb or a topic";
  verb.examples = {"roofplan help scenario", "roofplan help exit-codes"};
  verb.positionals = {
      text("TOPIC", "a verb, or exit-codes, formats, environment, fields").offers(Option::Offer::verbs)};
  verb.run = run_help;
  return verb;
}

}  // namespace roofplan::cli
