#pragma once

#include "cli/option.hpp"

#include <string>
#include <vector>

namespace roofplan::cli {

/// The names that a shell may offer for a value: the option's words, or what the catalogue knows.
std::vector<std::string> offered_names(const Option& option);

}  // namespace roofplan::cli
