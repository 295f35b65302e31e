#include "cli/verbs/all.hpp"

#include "cli/session.hpp"
#include "cli/verbs/verbs.hpp"

#include <fmt/format.h>

namespace roofplan::cli {

const std::vector<Verb>& all_verbs() {
  static const std::vector<Verb> kVerbs{
      systems_verb(),     //
      models_verb(),      //
      fit_verb(),         //
      speed_verb(),       //
      plan_verb(),        //
      size_verb(),        //
      overview_verb(),    //
      scale_verb(),       //
      scenario_verb(),    //
      site_verb(),        //
      fabric_verb(),      //
      cost_verb(),        //
      calibrate_verb(),   //
      validate_verb(),    //
      accept_verb(),      //
      compare_verb(),     //
      sweep_verb(),       //
      merge_verb(),       //
      export_verb(),      //
      completion_verb(),  //
      help_verb(),
  };
  return kVerbs;
}

const Verb& find_verb(std::string_view name) {
  std::vector<std::string> names;
  for (const Verb& verb : all_verbs()) {
    if (verb.name == name) return verb;
    names.push_back(verb.name);
  }
  throw model::InputError(model::InputError::Kind::usage, fmt::format("unknown verb \"{}\"", name),
                          "a verb that roofplan --help lists", {}, model::nearest_names(name, names));
}

Outcome verbatim(Session& session, std::string text) {
  Outcome outcome{session.new_document()};
  outcome.document.result.add("text", text);
  outcome.document.blocks.emplace_back(model::report::Verbatim{std::move(text)});
  return outcome;
}

}  // namespace roofplan::cli
