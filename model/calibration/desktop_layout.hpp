#pragma once

#include "model/calibration/table_layout.hpp"

#include <vector>

namespace roofplan::model {

/// Single systems running llama.cpp or a server: rates of decode and prefill by depth and batch, one value a
/// row ("decode_tok_s" per sequence, "agg_decode_tok_s" of all, "prefill_tok_s"). Predicted by the step model
/// on one accelerator; generated tokens count half towards the depth. Rows of several systems, of engines
/// without a profile, and of models or formats that the catalogue has not are unsupported; rows without a
/// format are undetermined.
std::vector<TableLayout> desktop_layouts();

}  // namespace roofplan::model
