#pragma once

#include "model/calibration/table_layout.hpp"

namespace roofplan::model {

/// Tables of collectives: `system,op,dtype,gpus,bytes,latency_ms` (the library's) and the same without `op`
/// (the engine's own all-reduce). `bytes` as in Message; dtype decides the element size.
std::vector<TableLayout> collective_layouts();

}  // namespace roofplan::model
