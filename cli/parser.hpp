#pragma once

#include "cli/arguments.hpp"

#include <string>
#include <vector>

namespace roofplan::cli {

/// Splits a command line by the tables of the verbs and the global flags, which may also stand after the
/// verb. Throws InputError (usage) for a flag without its value.
CommandLine split_command_line(const std::vector<std::string>& words);

}  // namespace roofplan::cli
