#pragma once

#include "model/roofline/operator_list.hpp"

#include <vector>

namespace roofplan::model {

/// What stands between the projections of a layer: rotary embedding and cache write, attention with its
/// sparse indexer, or the recurrent scan. Appended for one layer.
void append_mixer(const StepRecipe& recipe, const LayerGroup& group, Phase phase, std::vector<Operator>& out);

/// What a token of the layer sees of its sequence: everything, a window, a window and pooled entries, or the
/// positions that a sparse indexer chooses (DeepSeek-V3.2).
Visibility visibility_of(const Attention& attention);

/// FLOP of one token through the recurrent state of a whole layer: decay, outer product and read-out are
/// about six operations per state element (Mamba-2, arXiv:2405.21060; gated delta rule, arXiv:2412.06464).
double scan_flop_per_token(const Recurrent& recurrent);

}  // namespace roofplan::model
