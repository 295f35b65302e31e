#pragma once

#include "model/probe/cpu/cpu_arena.hpp"
#include "model/probe/layer.hpp"
#include "model/probe/probe.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace roofplan::probe {

/// All probes of the CPU back end; README.md says what each measures. Throws InputError (missing) where the
/// system gives no second process.
std::vector<Probe> cpu_probes(const std::shared_ptr<CpuArena>& arena, bool quick);

/// A decode step of `batch` sequences with `depth` tokens each through one layer, weights and cache from
/// memory. The arena must hold the weights twice, so that they are gone from the caches when they come again.
Probe layer_probe(const std::shared_ptr<CpuArena>& arena, const std::string& model, const LayerShape& layer,
                  std::int64_t batch, std::int64_t depth);

}  // namespace roofplan::probe
