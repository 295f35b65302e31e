#pragma once

#include "model/serving/speed.hpp"

namespace roofplan::model {

/// Bytes of cache, indexer keys and state that a prompt leaves and that move to the decode pool.
ByteCount cache_of_prompt(const SpeedRequest& request);

/// Pools of their own for prefill and decode, each of equal workers. The steps outlive the call.
struct WorkerPools {
  const StepModel* prefill = nullptr;
  const StepModel* decode = nullptr;
  double prefill_workers = 1, decode_workers = 1;
  Seconds transfer;             ///< of the cache of one prompt from worker to worker
  double decode_places = 1e15;  ///< sequences that all decode workers together run at once
  double prompts_together = 1;  ///< that a prefill worker takes into one step where they wait
};

/// The closed loop over such pools, see disaggregated_speed(). `load.concurrency` is that of all workers
/// together; its running limit is not used. Prompts that find no place in decode wait for one, after their
/// first token (Little's law: the places turn over once in the time of an output). Fills batch (of one decode
/// worker), context, step, prefill, waiting, ttft, tpot, e2e and output (of all workers).
SteadyState pooled_loop(const WorkerPools& pools, const EngineSpeed& engine, const ReplicaLoad& load);

/// Speed with pools of their own for prefill and decode. Closed loop by mean-value analysis over three
/// places: the prefill workers as one queue of several servers (Seidmann, Schweitzer and Shalev-Oren,
/// Decision Sciences 18 (1987) 87: a queue of 1/W of the service and a delay of the rest), the transfer of
/// the cache, which nothing hides, and decode steps, which no prefill interrupts.
SpeedAnswer disaggregated_speed(const SpeedRequest& request);

}  // namespace roofplan::model
