#pragma once

#include "cli/verb.hpp"

#include <string>

namespace roofplan::cli {

// One function a verb, each in the file of its name.
Verb accept_verb();
Verb calibrate_verb();
Verb compare_verb();
Verb completion_verb();
Verb export_verb();
Verb cost_verb();
Verb fabric_verb();
Verb fit_verb();
Verb help_verb();
Verb merge_verb();
Verb models_verb();
Verb overview_verb();
Verb plan_verb();
Verb scale_verb();
Verb scenario_verb();
Verb site_verb();
Verb size_verb();
Verb speed_verb();
Verb sweep_verb();
Verb systems_verb();
Verb validate_verb();

/// A document that is one text, printed as it stands; `text` under result.
Outcome verbatim(Session& session, std::string text);

}  // namespace roofplan::cli
