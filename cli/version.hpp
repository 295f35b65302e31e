#pragma once

#include "model/report/document.hpp"

#include <string>

namespace roofplan::cli {

/// Version, commit and state of the tree that this program was built from, and the edition of its data.
const model::report::Tool& this_program();

/// "roofplan 0.1.0 (abcdef0, dirty), data 1f2e3d4c".
std::string version_line();

}  // namespace roofplan::cli
