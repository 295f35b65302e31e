#pragma once

#include "model/memory/deployment.hpp"
#include "model/memory/weights.hpp"
#include "model/units/text.hpp"

#include <optional>
#include <string>
#include <vector>

namespace roofplan::model {

/// Degrees of parallelism that the user fixes; nothing: the planner chooses.
struct ParallelWish {
  std::optional<std::int64_t> tp, pp, ep, dp;
  std::int64_t cp = 1;
  std::int64_t attention_dp = 1;
};

/// The question "does it fit". Pointers refer to values that outlive the call.
struct FitRequest {
  const Architecture* model = nullptr;
  const System* system = nullptr;
  const EngineProfile* engine = nullptr;
  const FormatTable* formats = nullptr;
  /// Whose formats are tried where none of `engine` fits (GGUF formats of llama.cpp); may be null.
  const EngineProfile* fallback_engine = nullptr;
  std::string weights = "native";
  std::string weights_asked;            ///< where the engine holds them in another form, as asked; else empty
  std::string cache = "bf16";           ///< or "native": what the checkpoint carries scales for, else bf16
  std::int64_t count = 1;               ///< boxes, nodes or racks
  std::optional<std::int64_t> gpus;     ///< accelerators to use; nothing: all of them
  std::optional<std::int64_t> context;  ///< tokens of prompt and output together
  bool context_by_default = false;      ///< nobody chose `context`, which the answer then says
  std::int64_t concurrency = 1;         ///< sequences open at once, over all replicas
  ParallelWish parallel;
  bool hybrid_cache = true;
  std::optional<double> memory_fraction;
  std::optional<std::int64_t> max_batch, chunk_tokens;
  bool with_mtp = false;           ///< load multi-token-prediction modules and keep their cache
  std::int64_t adapter_slots = 0;  ///< LoRA adapters held at once
  std::int64_t adapter_rank = 0;
  bool explain = false;  ///< record how the numbers come about
  bool suggest = true;   ///< where it does not fit, look for settings and formats in which it would
};

/// A quantity whose size depends on what the system really leaves.
struct FitRange {
  bool fits_low = false, fits_high = false;  ///< with the least and the most memory that sources report
  ByteCount usable_low, usable_high;         ///< of one device
  std::int64_t max_context_low = 0, max_context_high = 0;
  std::int64_t max_concurrency_low = 0, max_concurrency_high = 0;
};

struct FitAnswer {
  bool fits = false;
  bool legal = true;   ///< false: no engine divides the model so; then only `reasons` counts
  bool starts = true;  ///< false: the engine refuses to start (a pool without room for one sequence)
  ByteCount deficit;   ///< missing on the fullest device
  std::int64_t devices = 0;
  ParallelPlan parallel;
  std::int64_t context = 0;
  bool context_assumed = false;
  std::int64_t concurrency = 0;
  DeviceMemory device;  ///< the fullest
  BatchLimits limits;   ///< that the engine is started with
  double memory_fraction = 1;
  std::string weights_format, cache_format;

  WeightBytes weights;     ///< of the model, once
  ByteCount cache;         ///< on all devices, repeated parts as often as they are held; state included
  ByteCount cache_need;    ///< what the architecture needs, once
  ByteCount cache_engine;  ///< as the engine lays it out, once: whole blocks, windows or not
  ByteCount state_need;    ///< recurrent state, once

  std::int64_t max_context = 0;           ///< at `concurrency`; 0: not even one token
  bool context_by_model = false;          ///< max_context is the model's own limit
  std::int64_t max_concurrency = 0;       ///< at `context`
  std::int64_t max_params_at_format = 0;  ///< parameters in this format with this cache and these peaks
  double max_bits = 0;                    ///< a parameter that this model may have on average; 0: none
  std::string fits_in_format;             ///< the most faithful format that fits; may be empty
  std::string fits_in_engine;             ///< id of the engine that runs it
  ByteCount fits_in_bytes;                ///< weights in it

  std::optional<FitRange> range;
  std::optional<double> fraction_low, fraction_high;  ///< interval in which the engine starts and serves
  ByteCount load_peak;  ///< unified memory: weights and the file mapping they are copied from
  Text verdict;
  std::vector<Text> reasons;  ///< why, the binding constraint first
  std::vector<Text> warnings;
  Derivations derivations;
};

/// Practical context when none is asked: enough for most questions with retrieved text.
inline constexpr std::int64_t kDefaultContext = 8192;
/// Beyond this many sequences nothing is searched.
inline constexpr std::int64_t kMostSequences = 10'000'000;

/// Answers. Throws InputError (usage) for a count, context or concurrency below 1, a fraction outside 0..1,
/// unknown formats, or a system whose memory is unknown. "Does not fit" is an answer.
FitAnswer fit(const FitRequest& request);

/// Devices that the request may use. Throws as `fit`.
std::int64_t available_devices(const FitRequest& request);

/// Systems of this kind that can be linked to one machine, its figure `linked_most`; nothing: no limit is
/// known.
std::optional<std::int64_t> most_linked(const System& system);

/// Of the available devices those that one replica may span, or pools that hand caches over: of most_linked()
/// systems.
std::int64_t linked_devices(const FitRequest& request);
/// Why a plan of more devices than linked_devices() is refused.
Text too_few_linked(const FitRequest& request, std::int64_t needed);

/// The plan that `fit` uses: the user's degrees; else the least TP inside the scale-up domain at which it
/// fits, then the fewest stages across domains, then as many replicas as there are devices for. Where
/// nothing fits, the plan that misses least. `faults`: why no plan is possible.
ParallelPlan choose_plan(const FitRequest& request, const WeightPlan& weights, std::int64_t context,
                         std::vector<Text>& faults);

/// The settings of the request with `plan`.
DeploymentSettings deployment_settings(const FitRequest& request, const ParallelPlan& plan);

/// Largest context of `concurrency` sequences that fits, at most `limit` tokens; 0: none.
/// `reserved`: what the system keeps, instead of the catalogue's value.
std::int64_t largest_context(const Deployment& deployment, std::int64_t concurrency, std::int64_t limit,
                             std::optional<ByteCount> reserved = std::nullopt);
/// Most sequences of `context` tokens that fit, at most kMostSequences; 0: none.
std::int64_t most_sequences(const Deployment& deployment, std::int64_t context,
                            std::optional<ByteCount> reserved = std::nullopt);
/// Most parameters at `bits` each, spread evenly, that leave room for this cache and these peaks.
std::int64_t most_parameters(const Deployment& deployment, std::int64_t context, std::int64_t concurrency,
                             double bits);

}  // namespace roofplan::model
