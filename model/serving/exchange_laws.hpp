#pragma once

#include "model/fabric/engine_all_reduce.hpp"
#include "model/fabric/scale_out_law.hpp"
#include "model/memory/parallel.hpp"
#include "model/roofline/communication.hpp"

#include <optional>

namespace roofplan::model {

/// The exchanges of one replica that runs `plan`, over the links of its system. TP ranks are neighbours, so
/// they fill one scale-up domain first; pipeline stages cross domains where a replica needs several. Small
/// all-reduces inside a domain go through the engine's own kernel where `engine` has one.
/// Exchanges that leave a domain take `network_overhead` longer.
ExchangeLaws exchange_laws(const FabricPath& path, const std::optional<EngineAllReduceLaw>& engine,
                           const ParallelPlan& plan, Seconds network_overhead = {});

/// How the step model divides the work of that plan.
StepShards step_shards(const ParallelPlan& plan);

/// Between two accelerators of different replicas: inside a domain where both fit, else across.
MessageTime transfer_law(const FabricPath& path, bool crosses_domains);

}  // namespace roofplan::model
