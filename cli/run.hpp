#pragma once

#include <string>
#include <vector>

namespace roofplan::cli {

/// The whole program: reads the command line (without the program's name), runs the verb, prints, and
/// returns the exit code. Throws nothing.
int run(const std::vector<std::string>& words);

}  // namespace roofplan::cli
