#pragma once

#include "cli/option.hpp"

#include <string>
#include <vector>

namespace roofplan::cli {

// Options that several verbs share, each setting its field of the scenario.
Option model_argument(std::string name, bool needed);
Option weights_option();
Option kv_option();
Option assume_option();
/// --system, --count, --gpus.
std::vector<Option> system_options();
/// --tp --pp --ep --dp.
std::vector<Option> parallel_options();
/// --engine, with a version behind @.
Option engine_option();
/// --context: prompt and output together.
Option context_option();
Option concurrency_option();
/// --output-tokens, which --output with a number means too.
Option output_tokens_option();
Option hybrid_kv_option();
/// --data-stays: a bare flag.
Option power_cap_option();
Option data_stays_option();
/// What an offer or a budget states beside the systems: installation, room, people, support, resale, hosts.
std::vector<Option> money_options();

/// Joins lists of options.
std::vector<Option> joined(std::initializer_list<std::vector<Option>> lists);

}  // namespace roofplan::cli
