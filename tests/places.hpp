#pragma once

#include <string>

/// Where tests find things on the machine that built them. Known to one file, so that the others compile the
/// same everywhere and a compiler cache serves them.
namespace roofplan::test {

/// The root of the source tree.
std::string source_root();
/// The command-line program of this build.
std::string program();

}  // namespace roofplan::test
