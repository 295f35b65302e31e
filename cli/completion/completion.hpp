#pragma once

#include <string>

namespace roofplan::cli {

// Completion scripts and the manual page, written from the tables of verbs and flags.
std::string bash_completion();
std::string zsh_completion();
std::string fish_completion();
std::string manual_page();

}  // namespace roofplan::cli
