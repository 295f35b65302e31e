#pragma once

#include "model/calibration/kernels/kernel_table.hpp"
#include "model/roofline/laws/expert_gemm.hpp"

namespace roofplan::model {

/// Tables of routed experts (see kernel_layouts()).
KernelTable<ExpertGemmShape> expert_table();

}  // namespace roofplan::model
