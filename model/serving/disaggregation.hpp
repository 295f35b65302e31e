#pragma once

#include "model/serving/speed.hpp"

namespace roofplan::model {

/// Bytes of cache, indexer keys and state that a prompt leaves and that move to the decode pool.
ByteCount cache_of_prompt(const SpeedRequest& request);

/// Speed with pools of their own for prefill and decode. Closed loop by mean-value analysis over three
/// places: the prefill workers as one queue of several servers (Seidmann, Schweitzer and Shalev-Oren,
/// Decision Sciences 18 (1987) 87: a queue of 1/W of the service and a delay of the rest), the transfer of
/// the cache, which nothing hides, and decode steps, which no prefill interrupts.
SpeedAnswer disaggregated_speed(const SpeedRequest& request);

}  // namespace roofplan::model
