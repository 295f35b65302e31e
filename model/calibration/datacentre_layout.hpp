#pragma once

#include "model/calibration/table_layout.hpp"

#include <vector>

namespace roofplan::model {

/// Published figures of data-centre systems, one value a row: rates of engines that serve ("output_tok_s" of
/// the whole group or "output_tok_s_gpu", "total_tok_s" with the prompts, "ttft_ms", "tpot_ms"), of
/// collectives ("busbw_GBs"), matrix products ("gemm_tflops") and memory ("membw_GBs"). Where a row queues
/// more requests than run, memory says how many run. MLPerf rows state no input length and are refused so;
/// training, power and the rest have no prediction here.
std::vector<TableLayout> datacentre_layouts();

}  // namespace roofplan::model
