#pragma once

#include "model/probe/cuda/patterns.hpp"

#include <cstdint>

namespace roofplan::probe {

/// The number at `index` of memory that holds numbers of a pattern's format: bfloat16, float16, float32,
/// e4m3, int8 or e2m1 (the lower half of a byte first). Exact.
double decoded(Pattern pattern, const void* from, std::int64_t index);
/// Bits of one number.
int bits_of(Pattern pattern);

}  // namespace roofplan::probe
