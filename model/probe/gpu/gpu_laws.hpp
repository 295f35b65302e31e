#pragma once

#include "model/calibration/calibration_file.hpp"
#include "model/hardware/system.hpp"
#include "model/probe/gpu/gpu_work.hpp"
#include "model/units/quantity.hpp"

#include <optional>

namespace roofplan::probe {

/// Fits what the probes of a GPU determine: the laws of fit_machine(), and beside them the catalogue's laws
/// of kernels, so that a machine's own calibration is read as the catalogue's are:
///
///   product/bf16, product/fp8  -> "gemm/bfloat16", "gemm/fp8" (with the quantising of inputs)
///   attention/bf16             -> "attention_decode/bfloat16/grouped", caches from memory
///   experts/bf16               -> "experts/bfloat16/batched"
///   attention_products/...     -> "machine/attention_products/..." of fit_machine(): heads of other widths
///   collective_in_graph/...    -> "machine/collective_in_graph/KIND/RANKS" of fit_machine()
///   power/...                  -> "machine/energy": idle power, energy of a byte and of a FLOP
///
/// `chip` is the datasheet that bounds the search; nullptr: the highest measured rates do.
void fit_gpu(model::Calibration& calibration, const model::Chip* chip);

/// Time of one execution by those laws, weights and cache from memory. Nothing for a kind of work without
/// one.
std::optional<model::Seconds> predicted_time(const model::Calibration& calibration, const GpuWork& work);

}  // namespace roofplan::probe
