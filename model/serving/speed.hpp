#pragma once

#include "model/fabric/engine_all_reduce.hpp"
#include "model/fabric/scale_out_law.hpp"
#include "model/memory/fit.hpp"
#include "model/power/device_energy.hpp"
#include "model/power/power_cap.hpp"
#include "model/roofline/efficiency.hpp"
#include "model/roofline/engine_speed.hpp"
#include "model/roofline/error_ranges.hpp"
#include "model/roofline/step_model.hpp"
#include "model/serving/steady_state.hpp"
#include "model/units/quantity.hpp"
#include "model/units/text.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace roofplan::model {

/// Pools of their own for prefill and decode. A plan's `dp` is ignored: `workers` counts the replicas.
struct DisaggregationWish {
  std::int64_t prefill_workers = 1, decode_workers = 1;
  ParallelWish prefill, decode;
};

class StepModelStore;

/// The question "how fast". Pointers refer to values that outlive the call and are never null.
struct SpeedRequest {
  FitRequest fit;  ///< model, system, engine, formats, concurrency, parallel wishes; its context is not used
  const EngineSpeed* engine = nullptr;
  const EfficiencyCatalog* efficiencies = nullptr;
  const KernelLaws* laws = nullptr;         ///< of the chip; nullptr: efficiencies alone
  KernelTimeStore* kernel_times = nullptr;  ///< of the chip, kept from question to question
  StepModelStore* step_models = nullptr;    ///< kept from question to question; nullptr: built for each
  const ErrorRanges* ranges = nullptr;
  FabricPath path;                               ///< the links of the system
  std::optional<EngineAllReduceLaw> all_reduce;  ///< the engine's own kernel for small messages
  std::int64_t prompt = 1024;
  std::int64_t output = 256;
  std::optional<std::int64_t> depth;  ///< context of the decode step; nothing: the prompt and half the output
  double routing_exponent = 1;  ///< how alike the tokens of a batch choose experts, see distinct_experts()
  double prefix_hit = 0;        ///< share of the prompt found in the prefix cache
  double acceptance = 0;        ///< of a drafted token
  std::int64_t draft_tokens = 0;
  std::optional<PowerCap> power_cap;   ///< of every accelerator
  std::optional<DeviceEnergy> energy;  ///< of each accelerator, where it was measured
  std::optional<DisaggregationWish> disaggregation;
  bool may_wait = true;   ///< false: a plan left to the planner is one that holds all requests at once
  bool breakdown = true;  ///< whether the answer lists its operators
  std::vector<std::int64_t> nodes;  ///< counts of systems for the scaling curve
};

/// One point of a scaling curve: the same load on every node.
struct ScalingPoint {
  std::int64_t nodes = 0, gpus = 0;
  TokensPerSecond output;
  double efficiency = 1;  ///< output / (nodes x output of one node)
};

/// 80 % ranges of the times of an answer, as factors; rates take them turned round.
struct SpeedRanges {
  ErrorRange token, first_token, prefill;
  ErrorRange request;       ///< of a whole request, and turned round of the output: both ends together
  bool of_machine = false;  ///< that of `token` rests on this machine's own steps
};

/// Speed of one deployment. Numbers only where `fits`.
struct SpeedAnswer {
  FitAnswer fit;
  bool fits = false;
  ParallelPlan parallel;
  std::int64_t devices = 0;
  std::int64_t replicas = 1;
  EngineSpeed::Basis basis = EngineSpeed::Basis::datasheet;
  SpeedRanges ranges;

  SteadyState state;  ///< of one replica at this load
  StepTime step;      ///< the decode step in parts
  StepTime prompt;    ///< the prefill of one prompt in parts; zero for a prompt without tokens
  Bound decode_bound = Bound::memory, prefill_bound = Bound::compute;
  TokensPerSecond ceiling;
  Seconds request;                       ///< the same request alone
  Seconds cache_transfer;                ///< from the prefill to the decode pool; zero in one pool
  TokensPerSecond output;                ///< of all replicas
  std::optional<PhaseClocks> clocks;     ///< under the request's power cap
  PhaseShares busy;                      ///< how the devices of the plan spend their time
  std::vector<OperatorShare> breakdown;  ///< prefill of one prompt, then one decode step
  std::vector<ScalingPoint> scaling;
  std::vector<Text> reasons, warnings;
};

/// Answers. Throws InputError (usage) as fit(), and for prompts, outputs and shares out of range. A plan that
/// is left to the planner is the one with the shortest mean time from arrival to last token at this load,
/// waiting for a place counted in.
SpeedAnswer speed(const SpeedRequest& request);

/// Fills the decode step, the prompt, what bounds them, their lines and the ceiling, from the step models of
/// both phases; after the state is known.
void take_steps(SpeedAnswer& answer, const SpeedRequest& request, const StepModel& prefill,
                const StepModel& decode, const ReplicaLoad& load);
/// What the estimate rests on, the engine's version taken into account.
EngineSpeed::Basis version_basis(const SpeedRequest& request);
/// Takes basis and ranges from what the request rests on, wider by the law of a power cap and never past the
/// bandwidth ceiling; after state and ceiling are known.
void take_ranges(SpeedAnswer& answer, const SpeedRequest& request);
/// Adds a warning where the version asked for is not among those that the engine's numbers were fitted on.
void warn_of_version(SpeedAnswer& answer, const SpeedRequest& request);

/// Notes what a power cap leaves of the clocks. Throws InputError (usage) as with_power_cap().
void apply_power_cap(SpeedAnswer& answer, const SpeedRequest& request);

/// Tokens that one sequence holds at most.
std::int64_t longest_context(const SpeedRequest& request);

}  // namespace roofplan::model
