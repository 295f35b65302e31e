#pragma once

#include <string_view>

namespace roofplan::cli {

/// Columns of the terminal on standard output; 0 where it is none.
int terminal_width();

/// Whether to colour standard output. "always" and "never" decide alone; "auto" follows NO_COLOR (not empty:
/// never), then CLICOLOR_FORCE (not empty, not 0: always), then TERM=dumb (never), then whether standard
/// output is a terminal.
bool wants_colour(std::string_view setting);

}  // namespace roofplan::cli
