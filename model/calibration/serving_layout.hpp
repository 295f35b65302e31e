#pragma once

#include "model/calibration/table_layout.hpp"

#include <vector>

namespace roofplan::model {

/// Whole engines in a closed loop: `ttft_ms` and `tpot_ms` of one row by model, system, precision, lengths,
/// concurrency and parallel sizes (tp and attention_dp multiply to the devices of a stage, moe_ep of them
/// divide the experts). Predicted by the closed form. Rows without a precision are undetermined: predicted as
/// bf16, `low` and `high` being that and the value as fp8. Rows of separate pools (`mode` other than agg) are
/// predicted by pooled_loop() from the `prefill_*` and `decode_*` columns where both worker counts stand, and
/// are unsupported with "worker count not stated" where not. Rows without a concurrency, or of unknown
/// models, systems and engines are unsupported. The format of the cache is not in the
/// table: EngineSpeed::cache_on().
/// `fit` takes an engine for the system and sets the laws of EngineFit.
std::vector<TableLayout> serving_layouts();

}  // namespace roofplan::model
