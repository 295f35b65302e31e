#pragma once

#include "cli/verb.hpp"

#include <string_view>
#include <vector>

namespace roofplan::cli {

/// All verbs, in the order of --help.
const std::vector<Verb>& all_verbs();

/// Throws InputError (usage) with the nearest names.
const Verb& find_verb(std::string_view name);

/// The flags that every verb takes.
const std::vector<Option>& global_options();

}  // namespace roofplan::cli
