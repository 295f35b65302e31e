#pragma once

#include "model/calibration/table_layout.hpp"

namespace roofplan::model {

/// Tables of single kernels, `latency_ms` a launch:
/// matrix products `system,dtype,m,n,k`; decode attention
/// `system,batch,kv_len,heads,kv_heads,head_dim,window, attn_dtype,kv_dtype`; prefill attention, the same
/// with `isl` for `kv_len`; latent attention `system,batch,kv_len|isl,heads,dtype,kv_dtype`; routed experts
/// `system,dtype,tokens,hidden,inter,topk,experts,tp,ep,distribution,kernel`. Caches are as warm as the
/// benchmark leaves them.
std::vector<TableLayout> kernel_layouts();

}  // namespace roofplan::model
