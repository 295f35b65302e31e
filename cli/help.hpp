#pragma once

#include "cli/verb.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace roofplan::cli {

/// The page of `roofplan --help`: examples first, then verbs and global flags.
std::string overview_help();

/// The page of one verb.
std::string verb_help(const Verb& verb);

/// A page by the name of a verb or a topic. Throws InputError (usage) with the nearest names.
std::string help_page(std::string_view topic);

/// Topics that are no verbs: exit-codes, formats, environment, fields.
std::vector<std::string> help_topics();

/// "roofplan fit MODEL [--system S] ...", the synopsis.
std::string synopsis(const Verb& verb);

/// "--concurrency N", with the short name first where there is one.
std::string usage_of(const Option& option);

/// Help, range and default of an option in one line.
std::string description_of(const Option& option);

}  // namespace roofplan::cli
