#pragma once

#include "model/acceptance/acceptance.hpp"

#include <optional>

namespace roofplan::model {

/// Bus bandwidth that no run of so many ranks can exceed on the links of the promised system, whatever the
/// algorithm: every accelerator, and every domain, has to take in what the collective brings it, at line
/// rate. An all-reduce brings at least the message once (switches that reduce), an all-gather or
/// reduce-scatter over N domains (N-1)/N of it; the rest follows from the bus factors of nccl-tests,
/// doc/PERFORMANCE.md. Nothing where no line rate is known or fewer than two ranks take part.
std::optional<BytesPerSecond> link_bound(const Promise& promise, Collective op, int ranks);

}  // namespace roofplan::model
